import type { Identity } from '#platform/auth/openid/schema.ts'
import type { SignInMethods } from '#platform/auth/second-factor/schema.ts'
import type { User } from '#platform/auth/users/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDay, formatRelativeTime, toLocalDay } from '../../format/format.ts'
import { redirect } from '../../page/page.ts'
import { buildConfirmPage } from '../shared/confirm-page.tsx'
import type { AdminContext, AdminPage, AdminRole, AdminRouter } from '../shared/context.ts'
import { securityPath } from '../shared/security-paths.ts'
import { buildProofPage, findFactors, noErrors, type ProofErrors, readProof, toProofErrors } from './proof.tsx'

const everybody: AdminRole[] = ['editor', 'treasurer', 'viewer']
const path = `${securityPath}/identities/remove`

/** Links to accounts at the OpenID provider: users manage their own, admins those of others. */
export function registerIdentityRoutes(pages: AdminRouter): void {
  pages.get(path, everybody, async context => await buildUnlinkPage(context))

  pages.post(path, everybody, async context => {
    try {
      await context.api.post('/users/me/identities/remove', readProof(context))
      context.flash({ text: getMessages('open-id', context.language).section.unlinked })
      return redirect(securityPath, 303)
    } catch (error) {
      return await buildUnlinkPage(context, toProofErrors(error, context.language))
    }
  })

  pages.get(
    '/admin/users/:id/identities',
    [],
    async context => await buildUnlinkUserPage(context, await findUser(context))
  )

  pages.post('/admin/users/:id/identities', [], async context => {
    const user = await findUser(context)
    await context.api.delete(`/users/${user.id}/identities`)
    context.flash({ text: getMessages('open-id', context.language).person.unlinked({ name: user.name }) })
    return redirect(`/admin/users/${user.id}`, 303)
  })
}

export interface SingleSignOn {
  /** Display name of the provider; undefined if none is configured. */
  provider: string | undefined
  identities: Identity[]
}

export async function findSingleSignOn(context: AdminContext): Promise<SingleSignOn> {
  const [methods, identities] = await Promise.all([
    context.api.get<SignInMethods>('/sessions/methods'),
    context.api.get<Identity[]>('/users/me/identities')
  ])
  return { provider: methods.body.openid?.name, identities: identities.body }
}

/** Renders nothing if there is no provider and there are no old links. */
export function IdentitySection({ context, about }: { context: AdminContext; about: SingleSignOn }) {
  const { language, now, site } = context
  const { provider, identities } = about
  const strings = getMessages('open-id', language).section
  if (provider === undefined && identities.length === 0) return null
  const dayOf = (instant: string) => formatDay(language, toLocalDay(site.timezone, new Date(instant)))
  return (
    <section class="card" aria-labelledby="single-sign-on">
      <h2 id="single-sign-on">{strings.title}</h2>
      {identities.length === 0 ? <p>{strings.none({ provider: provider ?? '' })}</p> : <p>{strings.text}</p>}
      {identities.map(({ issuer, createdAt, lastUsedAt }) => (
        <p key={issuer} class="muted">
          <strong>{new URL(issuer).host}</strong> {strings.since({ day: dayOf(createdAt) })}{' '}
          {strings.lastUsed({ when: formatRelativeTime(language, lastUsedAt, now) })}
        </p>
      ))}
      {identities.length === 0 ? null : (
        <a class="button quiet small" href={path}>
          {strings.unlink}
        </a>
      )}
    </section>
  )
}

async function buildUnlinkPage(context: AdminContext, refused: ProofErrors = noErrors): Promise<AdminPage> {
  const { unlinkTitle, unlinkText, unlink } = getMessages('open-id', context.language).section
  const about = { title: unlinkTitle, text: unlinkText, action: path, yes: unlink, look: 'danger' }
  return buildProofPage(context, await findFactors(context), refused, about)
}

async function findUser(context: AdminContext): Promise<User> {
  return (await context.api.get<User>(`/users/${encodeURIComponent(context.params.id ?? '')}`)).body
}

async function buildUnlinkUserPage(context: AdminContext, user: User): Promise<AdminPage> {
  const strings = getMessages('open-id', context.language).person
  const { body: identities } = await context.api.get<Identity[]>(`/users/${user.id}/identities`)
  return buildConfirmPage(context, {
    title: strings.title({ name: user.name }),
    text: identities.length > 0 ? strings.text : strings.hasNone({ name: user.name }),
    menu: '/admin/users',
    action: `/admin/users/${user.id}/identities`,
    yes: getMessages('open-id', context.language).section.unlink,
    no: { label: getMessages('admin', context.language).cancel, href: `/admin/users/${user.id}` }
  })
}
