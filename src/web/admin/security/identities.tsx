import type { SignInMethods } from '#platform/factors/schema.ts'
import type { Identity } from '#platform/openid/schema.ts'
import type { User } from '#platform/users/schema.ts'
import { ago, dayIn, plainDay } from '../../format.ts'
import { redirect } from '../../page.ts'
import { consoleWords } from '../../text/console.ts'
import { openIdWords } from '../../text/openid.ts'
import type { Console, ConsolePage, ConsoleRole, Desk } from '../console.ts'
import { questionPage } from '../question.tsx'
import { securityPath } from './path.ts'
import { findFactors, noRefusal, proofPage, type Refusal, readProof, refusedProof } from './proof.tsx'

const everybody: ConsoleRole[] = ['editor', 'treasurer', 'viewer']
const path = `${securityPath}/identities/remove`

/** Links with accounts at the OpenID provider: one's own, and for admins those of others. */
export function identityPages(pages: Console): void {
  pages.show(path, everybody, async desk => await unlinkPage(desk))

  pages.take(path, everybody, async desk => {
    try {
      await desk.api.post('/users/me/identities/remove', readProof(desk))
      desk.say({ text: openIdWords[desk.language].section.unlinked })
      return redirect(securityPath, 303)
    } catch (error) {
      return await unlinkPage(desk, refusedProof(error, desk.language))
    }
  })

  pages.show('/admin/users/:id/identities', [], async desk => await unlinkPersonPage(desk, await findUser(desk)))

  pages.take('/admin/users/:id/identities', [], async desk => {
    const user = await findUser(desk)
    await desk.api.delete(`/users/${user.id}/identities`)
    desk.say({ text: openIdWords[desk.language].person.unlinked(user.name) })
    return redirect(`/admin/users/${user.id}`, 303)
  })
}

export interface SingleSignOn {
  /** What people call the provider; undefined where there is none. */
  provider: string | undefined
  identities: Identity[]
}

export async function findSingleSignOn(desk: Desk): Promise<SingleSignOn> {
  const [methods, identities] = await Promise.all([
    desk.api.get<SignInMethods>('/sessions/methods'),
    desk.api.get<Identity[]>('/users/me/identities')
  ])
  return { provider: methods.body.openid?.name, identities: identities.body }
}

/** Nothing where there is no provider and there was none. */
export function IdentitySection({ desk, about }: { desk: Desk; about: SingleSignOn }) {
  const { language, now, site } = desk
  const { provider, identities } = about
  const words = openIdWords[language].section
  if (provider === undefined && identities.length === 0) return null
  const dayOf = (instant: string) => plainDay(language, dayIn(site.timezone, new Date(instant)))
  return (
    <section class="card" aria-labelledby="single-sign-on">
      <h2 id="single-sign-on">{words.title}</h2>
      {identities.length === 0 ? <p>{words.none(provider ?? '')}</p> : <p>{words.text}</p>}
      {identities.map(({ issuer, createdAt, lastUsedAt }) => (
        <p key={issuer} class="faded">
          <strong>{new URL(issuer).host}</strong> {words.since(dayOf(createdAt))}{' '}
          {words.lastUsed(ago(language, lastUsedAt, now))}
        </p>
      ))}
      {identities.length === 0 ? null : (
        <a class="button quiet small" href={path}>
          {words.unlink}
        </a>
      )}
    </section>
  )
}

async function unlinkPage(desk: Desk, refused: Refusal = noRefusal): Promise<ConsolePage> {
  const { unlinkTitle, unlinkText, unlink } = openIdWords[desk.language].section
  const about = { title: unlinkTitle, text: unlinkText, action: path, yes: unlink, look: 'danger' }
  return proofPage(desk, await findFactors(desk), refused, about)
}

async function findUser(desk: Desk): Promise<User> {
  return (await desk.api.get<User>(`/users/${encodeURIComponent(desk.params.id ?? '')}`)).body
}

async function unlinkPersonPage(desk: Desk, user: User): Promise<ConsolePage> {
  const words = openIdWords[desk.language].person
  const { body: identities } = await desk.api.get<Identity[]>(`/users/${user.id}/identities`)
  return questionPage(desk, {
    title: words.title(user.name),
    text: identities.length > 0 ? words.text : words.hasNone(user.name),
    menu: '/admin/users',
    action: `/admin/users/${user.id}/identities`,
    yes: openIdWords[desk.language].section.unlink,
    no: { label: consoleWords[desk.language].cancel, href: `/admin/users/${user.id}` }
  })
}
