import { randomUUID } from 'node:crypto'
import type { Invitation } from '#platform/auth/invitations/schema.ts'
import type { Key } from '#platform/auth/keys/schema.ts'
import type { Identity } from '#platform/auth/openid/schema.ts'
import type { User } from '#platform/auth/users/schema.ts'
import { formatLanguageName } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary, Field } from '../../components/field.tsx'
import { formatRelativeTime } from '../../format/format.ts'
import { redirect } from '../../page/page.ts'
import { getFormField } from '../../server/context.ts'
import { SignOutUser } from '../account/sessions.tsx'
import { buildConfirmPage } from '../shared/confirm-page.tsx'
import type { AdminContext, AdminPage, AdminRouter } from '../shared/context.ts'
import { toLabelledErrors } from '../shared/field-errors.ts'
import { ActionButton, Form, isConflict, toFormErrors } from '../shared/form.tsx'
import { Table } from '../shared/table.tsx'
import { OpenInvitations } from './invitations.tsx'
import { type UserField, UserFields } from './user-fields.tsx'
import { buildKeysQuery, KeysChoice, KeysNote, listUserKeys } from './user-keys.tsx'

const menu = '/admin/users'

/** User accounts. Admins only. */
export function registerUserRoutes(pages: AdminRouter): void {
  pages.get(menu, [], async context => {
    const [users, invitations] = await Promise.all([
      context.api.get<User[]>('/users'),
      context.api.get<Invitation[]>('/invitations')
    ])
    return buildListPage(context, users.body, invitations.body)
  })

  pages.get('/admin/users/new', [], async context => buildFormPage(context, undefined))

  pages.post(menu, [], async context => {
    const { password = '' } = context.form
    try {
      const { body } = await context.api.post<User>('/users', { ...parseFields(context), password: String(password) })
      context.flash({ text: getMessages('users-and-keys', context.language).users.created({ name: body.name }) })
      return redirect(menu, 303)
    } catch (error) {
      return buildFormPage(context, undefined, toFormErrors(error))
    }
  })

  pages.get('/admin/users/:id', [], async context => buildFormPage(context, await findUser(context)))

  pages.post('/admin/users/:id', [], async context => {
    const { password = '' } = context.form
    try {
      await context.api.patch<User>(
        `/users/${getUserId(context)}`,
        { ...parseFields(context), ...(password === '' ? {} : { password: String(password) }) },
        { 'if-match': getFormField(context, 'etag') }
      )
      context.flash({ text: getMessages('admin', context.language).saved })
      return redirect(menu, 303)
    } catch (error) {
      if (isConflict(error)) return buildFormPage(context, await findUser(context), undefined, 'conflict')
      return buildFormPage(context, await findUser(context), toFormErrors(error))
    }
  })

  pages.get(
    '/admin/users/:id/remove',
    [],
    async context => await buildRemovalPage(context, (await findUser(context)).user)
  )

  pages.post('/admin/users/:id/remove', [], async context => {
    const { user } = await findUser(context)
    try {
      await context.api.delete(`/users/${user.id}${buildKeysQuery(context)}`)
    } catch (error) {
      return await buildRemovalPage(context, user, toFormErrors(error).general)
    }
    context.flash({ text: getMessages('users-and-keys', context.language).users.removed({ name: user.name }) })
    return redirect(menu, 303)
  })
}

interface UserDetails {
  user: User
  keys: Key[]
  identities: Identity[]
  etag: string
}

function getUserId({ params }: AdminContext): string {
  return encodeURIComponent(params.id ?? '')
}

async function findUser(context: AdminContext): Promise<UserDetails> {
  const { body, etag } = await context.api.get<User>(`/users/${getUserId(context)}`)
  const [keys, identities] = await Promise.all([
    listUserKeys(context, body),
    context.api.get<Identity[]>(`/users/${body.id}/identities`)
  ])
  return { user: body, keys, identities: identities.body, etag }
}

function parseFields(context: AdminContext): Record<string, string> {
  return Object.fromEntries(['name', 'email', 'role', 'language'].map(name => [name, getFormField(context, name)]))
}

function buildListPage(context: AdminContext, users: User[], invitations: Invitation[]): AdminPage {
  const { language, now } = context
  const strings = getMessages('users-and-keys', language).users
  const general = getMessages('admin', language)
  return {
    title: strings.title,
    menu,
    actions: (
      <>
        <a class="button quiet" href="/admin/users/sign-in-policy">
          {getMessages('second-factor', language).policy.link}
        </a>
        <a class="button" href="/admin/invitations/new">
          {getMessages('accounts', language).invite}
        </a>
      </>
    ),
    body: (
      <>
        <p class="muted">{strings.lead}</p>
        <Table
          context={context}
          caption={strings.list}
          empty={<p>{strings.none}</p>}
          rows={users}
          columns={[
            {
              label: strings.name,
              isHead: true,
              cell: user => (
                <>
                  <a href={`/admin/users/${user.id}`}>{user.name}</a>{' '}
                  {user.id === context.user.id ? <span class="badge plain">{strings.you}</span> : null}
                </>
              )
            },
            { label: strings.email, cell: user => user.email },
            { label: strings.role, cell: user => general.roles[user.role] },
            { label: strings.language, cell: user => formatLanguageName(user.language, language) },
            {
              label: strings.lastSeen,
              isNamed: true,
              cell: user =>
                user.lastSeenAt === null ? strings.never : formatRelativeTime(language, user.lastSeenAt, now)
            }
          ]}
        />
        <OpenInvitations context={context} invitations={invitations} />
      </>
    )
  }
}

function buildFormPage(
  context: AdminContext,
  found: UserDetails | undefined,
  refused: ReturnType<typeof toFormErrors> = { fields: {}, general: undefined },
  conflict?: 'conflict'
): AdminPage {
  const { language } = context
  const strings = getMessages('users-and-keys', language).users
  const general = getMessages('admin', language)
  const isSent = context.request.method === 'POST'
  const shown = (name: UserField, fallback = '') =>
    isSent ? getFormField(context, name) : (found?.user[name] ?? fallback)
  const labels = { name: strings.name, email: strings.email, role: strings.role, password: strings.password }
  const isBadEmail = refused.fields.email?.startsWith('email ') === true
  const errors = toLabelledErrors(
    refused.fields,
    labels,
    isBadEmail ? { email: getMessages('sign-in', language).badEmail } : {}
  )
  const hasFailed = refused.general !== undefined || Object.keys(errors).length > 0
  return {
    title: found?.user.name ?? strings.inviteTitle,
    menu,
    status: conflict === undefined ? (hasFailed ? 422 : 200) : 412,
    scripts: ['console'],
    body: (
      <div class="narrow">
        <ErrorSummary title={general.mend} errors={errors} general={refused.general} />
        {conflict === undefined || found === undefined ? null : (
          <div class="notice warn" role="alert" tabIndex={-1} data-focus>
            <p>
              <strong>{general.conflict.title}</strong>
            </p>
            <p>
              {general.conflict.theirs}: {found.user.name}, {found.user.email}, {general.roles[found.user.role]},{' '}
              {formatLanguageName(found.user.language, language)}
            </p>
            <p>{general.conflict.text}</p>
          </div>
        )}
        <Form context={context} action={found === undefined ? menu : `/admin/users/${found.user.id}`} class="card">
          {found === undefined ? null : <input type="hidden" name="etag" value={found.etag} />}
          <UserFields context={context} shown={shown} errors={errors} />
          <KeysNote context={context} keys={found?.keys ?? []} />
          <Field
            name="password"
            type="password"
            label={found === undefined ? strings.password : strings.newPassword}
            hint={found === undefined ? strings.passwordHint : strings.newPasswordHint}
            error={errors.password}
            autocomplete="new-password"
            minLength={10}
            maxLength={200}
            required={found === undefined}
          />
          {found === undefined ? <p class="muted">{strings.inviteHint}</p> : null}
          <div class="actions">
            <button type="submit">{found === undefined ? general.create : general.save}</button>
            <a class="button quiet" href={menu}>
              {general.cancel}
            </a>
          </div>
        </Form>
        {found === undefined ? null : (
          <section class="card" aria-labelledby="reset-link">
            <h2 id="reset-link">{getMessages('accounts', language).resetTitle}</h2>
            <p>{getMessages('accounts', language).resetHint}</p>
            <ActionButton
              context={context}
              action={`/admin/users/${found.user.id}/reset-link`}
              fields={{ idempotencyKey: randomUUID() }}
              label={getMessages('accounts', language).resetLink}
              look="quiet"
            />
          </section>
        )}
        {found === undefined ? null : <SignOutUser context={context} user={found.user} />}
        {found === undefined ? null : (
          <p class="danger-zone">
            <a class="button quiet small" href={`/admin/users/${found.user.id}/factors`}>
              {getMessages('second-factor', language).policy.lost}
            </a>{' '}
            {found.identities.length === 0 ? null : (
              <>
                <a class="button quiet small" href={`/admin/users/${found.user.id}/identities`}>
                  {getMessages('open-id', language).person.link}
                </a>{' '}
              </>
            )}
            <a class="button danger small" href={`/admin/users/${found.user.id}/remove`}>
              {strings.danger}
            </a>
          </p>
        )}
      </div>
    )
  }
}

async function buildRemovalPage(context: AdminContext, user: User, refused?: string): Promise<AdminPage> {
  const strings = getMessages('users-and-keys', context.language).users
  return buildConfirmPage(context, {
    title: strings.removeTitle({ name: user.name }),
    text: strings.removeText,
    menu,
    action: `/admin/users/${user.id}/remove`,
    yes: strings.remove,
    no: { label: strings.keep, href: `/admin/users/${user.id}` },
    fields: <KeysChoice context={context} keys={await listUserKeys(context, user)} />,
    refused
  })
}
