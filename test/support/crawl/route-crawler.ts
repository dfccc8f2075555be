// Lists every documented operation of the running services and builds valid requests, so that a new route is tested automatically.
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { InjectOptions } from 'fastify'
import { newDonorToken, toTokenColumns } from '#fundraising/encryption/donor-token.ts'
import { hashPassword } from '#platform/auth/passwords/password.ts'
import { encryptSecret } from '#platform/auth/second-factor/encrypted-secret.ts'
import { hashRecoveryCode } from '#platform/auth/second-factor/recovery-codes.ts'
import { computeTotpCode, getTotpStep } from '#platform/auth/second-factor/totp.ts'
import { hashToken } from '#platform/auth/tokens/token.ts'
import { Sql, sql } from '#platform/database/sql.ts'
import { buildBooking } from '../fundraising/bank-import.ts'
import { buildStatement } from '../fundraising/bank-statements.ts'
import { donor, organisation } from '../fundraising/receipts.ts'
import { startOpenIdProvider } from '../openid-provider.ts'
import {
  type Client,
  calendar,
  campaign,
  donation,
  event,
  type Start,
  startCampaignsAndCalendar,
  type TestResponse
} from '../services.ts'
import { type Device, newDevice } from '../webauthn-device.ts'
import { createBackupFolder } from './backup-folder.ts'
import { buildCalendarBody, buildValidValue, newName } from './calendar-fields.ts'
import { recordRegisteredRoutes } from './registered-routes.ts'

export interface Schema {
  type?: string | string[]
  description?: string
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  required?: string[]
  else?: { required?: string[] }
  items?: Schema
  format?: string
  pattern?: string
  examples?: unknown[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  'x-line'?: boolean
  'x-text'?: boolean
  'x-instant'?: boolean
  'x-iban'?: boolean
  'x-ibanForm'?: boolean
  'x-money'?: number
  'x-zone'?: boolean
  'x-currency'?: boolean
  'x-colour'?: boolean
  'x-address'?: boolean
  'x-receiver'?: boolean
  'x-country'?: boolean
  'x-uuid'?: boolean | string
  'x-day'?: boolean
  'x-creditorId'?: boolean
  'x-signature'?: boolean
  'x-receiptPrefix'?: boolean
  'x-ledgerAccount'?: boolean
  'x-profile'?: boolean
  'x-pageSlug'?: boolean
  /** Never returned: a password. */
  writeOnly?: boolean
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: Schema
}

export interface Operation {
  /** Such as `POST /campaigns`. */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With the names of its parameters in braces. */
  path: string
  summary: string | undefined
  operationId: string
  tags: string[]
  description: string
  'x-service': string
  /** Undefined if every caller is allowed. */
  roles: string[] | undefined
  openToVisitors: boolean
  parameters: Parameter[]
  /** Undefined where it is not JSON. */
  body: Schema | undefined
  takesXml: boolean
  responses: Record<string, Response>
}

export interface Response {
  description: string
  headers?: Record<string, object>
  content?: Record<string, { schema: Schema }>
  /** The codes that an error with this status can have. */
  'x-problem-codes'?: string[]
}

type Documented = Omit<Operation, 'name' | 'method' | 'path' | 'roles' | 'openToVisitors' | 'body' | 'takesXml'> & {
  'x-roles'?: string[]
  security: object[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

export interface Document {
  openapi: string
  paths: Record<string, Record<string, Documented>>
  components: { schemas: { Problem: Schema; Refusal?: Schema } }
}

/** The client that creates items, and thereby owns them. */
export interface Maker {
  client: Client
  /** Undefined for the site's owner. */
  keyId?: number
}

interface Made {
  id: number | string
  slug?: string
  url?: string
}

/** Both services, their document, and functions that build successful requests. */
export async function startRouteCrawler(start: Start = {}) {
  const backups = await createBackupFolder()
  const { started: service, routes } = await recordRegisteredRoutes(
    async () => await startCampaignsAndCalendar({ ...start, env: { BACKUP_DIR: backups.folder, ...start.env } })
  )
  // Not by the environment, which would need a PUBLIC_URL: here links have the host of the request.
  const provider = await startOpenIdProvider()
  service.settings.openid = provider.settings
  const { admin, store } = service
  const document: Document = dereference((await service.visitor.get('/openapi.json')).body)

  async function make(path: string, body: object, by: Client = admin) {
    const { status, body: made, text } = await by.post(path, body)
    if (status !== 201) throw new Error(`${path}: ${status} ${text}`)
    return made
  }
  const aCampaign = async (fields: object = {}) => await make('/campaigns', { ...campaign, ...fields })
  const aDonation = async (campaignId: number, fields: object = {}) =>
    await make(`/campaigns/${campaignId}/donations`, { ...donation, ...fields })

  async function anImage({ keyId }: Maker): Promise<Made> {
    const { status, body, text } = await admin.send({
      method: 'POST',
      url: `${calendar}/media`,
      ...buildMultipartForm({}, picture)
    })
    if (status !== 201) throw new Error(`media: ${status} ${text}`)
    // Some roles may list their images but not upload any.
    if (keyId !== undefined) await store.run(sql`update calendar.media set author_id = ${keyId} where id = ${body.id}`)
    return body
  }

  // Terms and venues that crawled events refer to: not every role that writes events may create them.
  for (const terms of ['categories', 'tags']) await make(`${calendar}/${terms}`, { name: 'Some words' })

  const passwordHash = await hashPassword(password)

  /** A signed-in user, inserted directly into the tables because hashing a password is slow. */
  async function aPerson(role = 'admin', wanted = ''): Promise<Person> {
    const finder = randomBytes(5).toString('hex')
    const token = `kls_${finder}_${randomBytes(16).toString('hex')}`
    const email = newEmail()
    // Email addresses that tests have set can be used again.
    await store.run(sql`
      update platform.users set email = id || '@example.org' where email not like 'ada%@example.org'`)
    const { id } = await store.one<{ id: number }>(sql`
      insert into platform.users (name, email, role, language, password_hash, created_at)
      values ('Somebody', ${email}, ${role}, 'en', ${passwordHash}, now())
      returning id`)
    await store.run(sql`
      insert into platform.sessions (token_prefix, hash, user_id, created_at, last_used_at)
      values (${finder}, ${createHash('sha256').update(token).digest()}, ${id}, now(), now())`)
    await userPreconditions[wanted]?.(id)
    const made = { id, email, token, client: service.withKey(token) }
    if (wanted !== '') person = made
    return made
  }

  interface Person {
    id: number
    email: string
    token: string
    client: Client
  }
  /** The user whose account the next request is about. */
  let person: Person | undefined

  /** A passkey that a device has created but not registered yet. */
  async function aNewPasskey(of: Person): Promise<{ device: Device; body: object }> {
    const device = newDevice()
    const { body: options } = await of.client.post('/users/me/passkeys/options', { currentPassword: password })
    return { device, body: { name: 'My phone', credential: device.create(options) } }
  }

  async function givePasskey(of: Person): Promise<Device> {
    const { device, body } = await aNewPasskey(of)
    await of.client.post('/users/me/passkeys', body)
    return device
  }

  async function aPasskeySignIn(): Promise<object> {
    const device = await givePasskey(await aPerson())
    const { body: options } = await service.visitor.post('/sessions/passkey-options', {})
    device.counter += 1
    return { credential: device.get(options) }
  }

  /** A response of the OpenID provider about a user with an account here. */
  async function anOpenIdSignIn(): Promise<object> {
    const { id, email } = await aPerson()
    const { body } = await service.visitor.post('/sessions/openid-requests')
    const person = { sub: `person ${id}`, email, email_verified: true }
    return { attempt: body.attempt, callback: await provider.authorize(body.location, person) }
  }

  const anUpdate = { texts: { en: { title: 'The roof is on', text: '<p>Thank you!</p>' } } }

  /** Preconditions of requests about the own account. */
  const userPreconditions: Record<string, (userId: number) => Promise<void>> = {
    'POST /users/me/totp/confirm': async userId => await giveTotp(userId, false),
    'POST /users/me/totp/remove': async userId => await giveTotp(userId),
    'POST /users/me/recovery-codes': async userId => await giveTotp(userId),
    'POST /sessions/second-factor': async userId => await giveTotp(userId),
    'POST /account-requests/{requestId}/confirm': async userId =>
      void (await store.run(sql`update platform.sessions set confirmed_at = now() where user_id = ${userId}`))
  }

  /** An authenticator app, confirmed or waiting for its first code. */
  async function giveTotp(userId: number, isConfirmed = true): Promise<void> {
    const encrypted = encryptSecret(service.settings, totpSecret, userId)
    await store.run(sql`
      insert into platform.totp_factors (user_id, secret_encrypted, created_at, confirmed_at)
      values (${userId}, ${encrypted}, now(), ${isConfirmed ? new Date() : null})`)
    const hash = hashRecoveryCode(`spare code of ${userId}`)
    await store.run(sql`
      insert into platform.recovery_codes (user_id, hash, created_at) values (${userId}, ${hash}, now())`)
  }

  const code = () => computeTotpCode(totpSecret, getTotpStep(new Date()))

  /** A sign-in that waits for its second factor. */
  async function startSignIn(): Promise<string> {
    const { email } = await aPerson('admin', 'POST /sessions/second-factor')
    const { body } = await service.visitor.post('/sessions', { email, password })
    return body.attempt
  }

  /** Deletes all users, so that the setup is possible again. */
  async function deleteUsers(): Promise<void> {
    await store.script('delete from platform.sessions; delete from platform.account_links; delete from platform.users')
  }

  /** Bodies that must match stored data, not only their schema. */
  const bodyBuilders: Record<string, (sample: object) => Promise<object>> = {
    [`POST ${calendar}/suggestions/confirm`]: async () => ({ token: await aSuggestionToken() }),
    'POST /sessions': async () => ({ email: (await aPerson()).email, password }),
    'POST /sessions/second-factor': async () => ({ attempt: await startSignIn(), code: code() }),
    'POST /sessions/passkey-options': async () => ({}),
    'POST /sessions/passkey': aPasskeySignIn,
    'POST /sessions/openid': anOpenIdSignIn,
    'POST /users/me/identities/remove': async () => ({ currentPassword: password }),
    'POST /backups/uploads': async () => ({ uploadId: randomBytes(16).toString('hex'), offset: 0, content: 'QQ==' }),
    // Only fields that treasurers may change.
    'PATCH /organisation': async () => ({ taxOffice: 'Musterstadt', taxNumber: newName() }),
    'POST /users/me/passkeys/options': async () => ({ currentPassword: password }),
    'POST /users/me/passkeys': async () => (await aNewPasskey(person ?? (await aPerson()))).body,
    'POST /users/me/passkeys/{passkeyId}/remove': async () => ({ currentPassword: password }),
    // A role without users here: users of other roles would need a second factor from then on.
    'PUT /sign-in-policy': async () => ({ requireSecondFactor: [] }),
    'POST /users/me/totp': async () => ({ currentPassword: password }),
    'POST /users/me/totp/confirm': async () => ({ code: code() }),
    'POST /users/me/totp/remove': async () => ({ currentPassword: password }),
    'POST /users/me/recovery-codes': async () => ({ currentPassword: password }),
    'POST /setup': async sample => {
      await deleteUsers()
      return sample
    },
    [`POST ${calendar}/subscriptions/{id}/resolve`]: async sample => ({ ...sample, event: conflictEventId }),
    // A pledge has no payment yet.
    'POST /campaigns/{campaignId}/donations': async sample => ({
      ...sample,
      amountReceived: undefined,
      receivedOn: undefined,
      paymentSource: undefined
    }),
    'PATCH /bank-statements/{statementId}/entries/{entryId}': async () => {
      const { id, campaignId } = await aDonation((await aCampaign()).id)
      return { donation: { campaignId, id } }
    },
    'POST /bank-statements/{statementId}/entries/{entryId}/donation': async () => ({
      campaignId: (await aCampaign()).id
    }),
    [`POST ${calendar}/events/bulk`]: async () => ({
      ids: [(await make(`${calendar}/events`, event)).id],
      action: 'trash'
    }),
    'PATCH /presentation': async sample => ({ ...sample, homeCampaignId: (await aCampaign()).id }),
    'POST /payer-rules': async () => ({ iban: 'DE02120300000000202051', action: 'ignore' }),
    'POST /account-requests': anAccountChange,
    'POST /collections': async () => ({ campaignId: (await aPledge()).campaignId }),
    'PATCH /collections/{collectionId}': async () => ({ status: 'submitted' }),
    'POST /receipts': async () => {
      await admin.patch('/organisation', organisation)
      return { kind: 'single', donation: await aReceivedDonation() }
    },
    'POST /receipt-runs': async sample => {
      await aReceiptRun()
      year += 1
      return { ...sample, year, send: false }
    },
    'POST /donor-records/{donorId}/merges': async () => ({ donorId: (await aDonor()).id }),
    'POST /donor-records/{donorId}/distinctions': async () => ({ donorId: (await aDonor()).id }),
    'POST /donor-records/{donorId}/letters': async () => {
      await admin.patch('/organisation', organisation)
      return { year: new Date().getFullYear() }
    },
    'POST /donor-letters': async sample => {
      await admin.patch('/organisation', organisation)
      return sample
    },
    'POST /invitations': async sample => ({ ...sample, email: newEmail() }),
    'POST /invitations/accept': async sample => ({ ...sample, token: await createLinkToken('/invitations') }),
    'POST /account-links/check': async () => ({ token: await createLinkToken('/invitations') }),
    'POST /password-resets/use': async sample => ({ ...sample, token: await createLinkToken('/users') }),
    'POST /sessions/current/confirm': async () => ({ password }),
    'PUT /users/me/password': async sample => ({ ...sample, currentPassword: password })
  }

  const anInvitation = async () =>
    await make('/invitations', { name: 'Grace', email: newEmail(), role: 'viewer', language: 'en' })

  /** The token of an invitation or of a password reset link. */
  async function createLinkToken(of: '/invitations' | '/users'): Promise<string> {
    const { link } =
      of === '/users' ? await make(`/users/${(await aPerson('viewer')).id}/reset-link`, {}) : await anInvitation()
    return new URL(link).searchParams.get('token') ?? ''
  }

  /** One of a few pages: their number is limited. */
  async function aPage(): Promise<{ id: number }> {
    await store.run(sql`
      delete from platform.pages where kind is null and id < (select max(id) - 100 from platform.pages)`)
    return await make('/pages', { status: 'published', texts: { en: { title: newName() } } })
  }

  /** One of a few webhooks: their number is limited, and each would receive all later activity. */
  async function aWebhook(): Promise<Made> {
    await store.script(`
      delete from platform.webhooks
      where actions <> '{*}' and id < (select max(id) - 30 from platform.webhooks)`)
    return await make('/webhooks', { url: 'https://example.org/hook', actions: ['campaign.restored'] })
  }

  let accountCount = 0
  /** A new one each time, because an account has one rule. */
  function anIban(): string {
    accountCount += 1
    const account = `37040044${String(accountCount).padStart(10, '0')}`
    const check = 98n - (BigInt(`${account}131400`) % 97n)
    return `DE${String(check).padStart(2, '0')}${account}`
  }

  /** For a new campaign, because an account has one open request. */
  async function anAccountChange(): Promise<object> {
    return { change: 'campaign_account', campaignId: (await aCampaign()).id, account: { iban: anIban() } }
  }

  async function aBankStatement(): Promise<Made> {
    const headers = { 'content-type': 'application/xml' }
    return (
      await admin.send({ method: 'POST', url: '/bank-statements', headers, payload: buildStatement([buildBooking()]) })
    ).body
  }

  /** A donation has one receipt, so each has a new donation, or the one of the token. */
  async function aReceipt(token?: string): Promise<Made> {
    await admin.patch('/organisation', organisation)
    return await make('/receipts', { kind: 'single', donation: await aReceivedDonation(token) })
  }

  let receiptToRead: Promise<Made> | undefined

  async function aReceivedDonation(token?: string): Promise<{ campaignId: number; id: string }> {
    if (token === undefined) {
      const { id, campaignId } = await aDonation((await aCampaign()).id, { ...donor, status: 'TRANSFERRED' })
      return { campaignId, id }
    }
    const { id, campaignId } = (await admin.get(`/donations/by-token/${token}`)).body
    await admin.patch(`/campaigns/${campaignId}/donations/${id}`, { address: donor.address, status: 'TRANSFERRED' })
    return { campaignId, id }
  }

  /** A new donor, with an unused email address. */
  async function aDonor(): Promise<Made> {
    const fields = { ...donor, donorName: newName(), email: newEmail(), status: 'TRANSFERRED' }
    const { id } = await aDonation((await aCampaign()).id, fields)
    return (await admin.get(`/donor-records?donationId=${id}`)).body[0]
  }

  async function aLetter(): Promise<Made> {
    await admin.patch('/organisation', organisation)
    return await make(`/donor-records/${(await aDonor()).id}/letters`, { year: new Date().getFullYear() })
  }

  /** A received donation, with the tax data of the organisation set. */
  async function aSmallDonation() {
    await admin.patch('/organisation', organisation)
    return await aDonation((await aCampaign()).id, { ...donor, status: 'TRANSFERRED' })
  }

  let year = 1900
  async function aReceiptRun(): Promise<Made> {
    await admin.patch('/organisation', organisation)
    // There is one run per year at a time, and no worker finishes them here; one for the year may exist already.
    year += 1
    const { status, body, text } = await admin.post('/receipt-runs', { year, upToToday: true })
    if (status === 409) return await aReceiptRun()
    if (status !== 202) throw new Error(`receipt-runs: ${status} ${text}`)
    return body
  }

  async function offerDirectDebit(): Promise<void> {
    await admin.patch('/organisation', { legalName: 'Music School', creditorId: 'DE98ZZZ09999999999' })
  }

  /** Preconditions of requests. */
  const preconditions: Record<string, () => Promise<void>> = {
    'POST /backups': async () => {
      while ((await admin.get('/backups')).body.running !== null) await sleep(20)
    },
    'GET /mandate': offerDirectDebit,
    'GET /collections/preview': offerDirectDebit,
    'GET /receipts.pdf': async () => void (await aReceipt()),
    'GET /receipts.zip': async () => void (await aReceipt()),
    'GET /donor-letters.pdf': async () => void (await aLetter()),
    'GET /journal/datev.csv': async () =>
      void (await admin.patch('/bookkeeping', { consultantNumber: 29_098, clientNumber: 55_003 })),
    'GET /receipt-runs/preview': async () => void (await admin.patch('/organisation', organisation))
  }

  /** A donation that may be collected. */
  async function aPledge() {
    await offerDirectDebit()
    const { texts } = (await admin.get('/mandate')).body
    return await aDonation((await aCampaign()).id, { mandate: { text: texts.en } })
  }

  async function aDelivery(webhookId: number): Promise<Made> {
    return (await admin.post(`/webhooks/${webhookId}/test`)).body
  }

  /** The token of a suggestion that waits for confirmation. */
  async function aSuggestionToken(): Promise<string> {
    const token = randomBytes(16).toString('hex')
    const fields = {
      ...{ ...event, title: newName(), description: '', timezone: 'UTC', all_day: false, cost: null, website: '' },
      ...{ venue: null, venue_name: '', venue_address: '', organizer: '', category: null }
    }
    await store.run(sql`
      insert into calendar.suggestions (state, fields, language, sender_email, token_hash, created_at)
      values ('unconfirmed', ${JSON.stringify(fields)}::jsonb, 'en', ${newEmail()}, ${hashToken(token)}, now())`)
    return token
  }

  /** An import in the state that the path needs: waiting, or a dry run with changes to undo. */
  async function anImport(path: string): Promise<Made> {
    const status = path.endsWith('/cancel') ? 'waiting' : 'done'
    const dryRun = !path.endsWith('/compare')
    const made: Made = await store.one(sql`
      insert into calendar.imports (
        source, url, dry_run, policy, language, timezone, author_id, caller, status, created_at
      ) values (
        'tec', 'https://example.org', ${dryRun}, 'keep', 'en', 'UTC', 1, '{"name": "the walk"}', ${status}, now()
      )
      returning id`)
    await store.run(sql`
      insert into calendar.import_changes (import_id, number, change, kind, item_id, version)
      values (${made.id}, 1, 'recognised', 'tag', 1, 0)`)
    return made
  }

  async function aBulkAction({ client }: Maker): Promise<Made> {
    const { id } = await make(`${calendar}/events`, { ...event, slug: newName() }, client)
    return await make(`${calendar}/events/bulk`, { ids: [id], action: 'trash' }, client)
  }

  /** The event in conflict of the subscription that was created last. */
  let conflictEventId = 0

  /** A subscription that waits for a decision or has an event in conflict, if the path needs it. */
  async function aSubscription(path: string): Promise<Made> {
    const problem = path.endsWith('/apply') ? 'empty' : null
    const made: Made = await store.one(sql`
      insert into calendar.subscriptions (
        url, url_key, name, gone, status, language, timezone, author_id, author_name, problem, created_at, modified_at
      ) values (
        'https://example.org/a.ics', gen_random_uuid(), 'The walk', 'keep', 'publish', 'en', 'UTC', 1, 'the walk',
        ${problem}, now(), now()
      )
      returning id`)
    if (path.endsWith('/resolve')) {
      conflictEventId = (await make(`${calendar}/events`, event)).id as number
      await store.run(sql`
        insert into calendar.subscription_items (subscription_id, source_id, event_id, base, conflicts)
        values (${made.id}, 'a', ${conflictEventId}, '{}', '{"title.en": {"hash": "", "value": "Theirs"}}')`)
    }
    return made
  }

  async function aFile(): Promise<Made> {
    const bytes = Buffer.from('%PDF-1.7')
    const hash = createHash('sha256').update(bytes).digest()
    const { id } = await store.one<{ id: number }>(sql`
      insert into calendar.files (author_id, name, extension, mime_type, hash, bytes, created_at)
      values (1, 'programme', 'pdf', 'application/pdf', ${hash}, ${bytes}, now())
      returning id`)
    return { id, url: `http://localhost/files/${id}/${hash.toString('hex').slice(0, 16)}/programme.pdf` }
  }

  /** A received donation whose donor subscribed to news. */
  const aSubscriber = async (campaignId: number) =>
    await aDonation(campaignId, { email: newEmail(), news: { text: 'Send me news.' }, status: 'TRANSFERRED' })

  async function aNewsToken(): Promise<string> {
    const { id } = await aSubscriber((await aCampaign()).id)
    const token = newDonorToken()
    const { encryptedToken, tokenHash } = toTokenColumns(service.settings, token)
    await store.run(sql`
      update fundraising.news_consents set token_encrypted = ${encryptedToken}, token_hash = ${tokenHash}
      where donation_id = ${id}`)
    return token
  }

  /** Creates the item for the path parameter after this segment; a new collection needs a line here. */
  const makers: Record<string, (by: Maker, inside: Record<string, string>, path: string) => Promise<Made>> = {
    campaigns: async (_by, _inside, path) => {
      const made = await aCampaign()
      // Parts that were never saved have the version 0, which the tests send as the version of nothing.
      if (path.endsWith('/story')) await admin.patch(`/campaigns/${made.id}/story`, { text: { en: 'The roof leaks.' } })
      if (path.endsWith('/presentation')) await admin.patch(`/campaigns/${made.id}/presentation`, { eventIds: [] })
      return made
    },
    donations: async (_by, { campaigns }, path) =>
      path.includes('/news/')
        ? await aSubscriber(Number(campaigns))
        : await aDonation(Number(campaigns), path.endsWith('/undo') ? { status: 'TRANSFERRED' } : {}),
    payments: async (_, { campaigns, donations }) => {
      const path = `/campaigns/${campaigns}/donations/${donations}/payments`
      await make(path, { amount: 10 })
      return (await admin.get(path)).body[0]
    },
    'offline-amounts': async (_, { campaigns }) =>
      await make(`/campaigns/${campaigns}/offline-amounts`, {
        ...{ amount: 10, receivedOn: '2026-01-05', label: { en: 'Cash box' } }
      }),
    notes: async (_, { campaigns, donations, 'donor-records': record }) => {
      const path = record === undefined ? `/campaigns/${campaigns}/donations/${donations}` : `/donor-records/${record}`
      return await make(`${path}/notes`, { text: 'Has called' })
    },
    'donor-records': aDonor,
    merges: async (_, { 'donor-records': record }) =>
      await make(`/donor-records/${record}/merges`, { donorId: (await aDonor()).id }),
    'donor-letters': aLetter,
    'letter-texts': async () => ({ id: 'en' }),
    updates: async (_, { campaigns }, path) => {
      const made = await make(`/campaigns/${campaigns}/updates`, { ...anUpdate, status: 'published' })
      if (path.endsWith('/mailing')) {
        await aSubscriber(Number(campaigns))
        Object.assign(service.settings, { smtpUrl: 'smtp://127.0.0.1:9', publicUrl: 'http://localhost' })
      }
      return made
    },
    news: async () => ({ id: await aNewsToken() }),
    'by-token': async (_by, _inside, path) => ({
      id: (path.includes('/mandate')
        ? await aPledge()
        : path.endsWith('/simplified-proof.pdf')
          ? await aSmallDonation()
          : await aDonation((await aCampaign()).id)
      ).donorToken
    }),
    mandates: async () => ({ id: (await aPledge()).reference }),
    collections: async () => await make('/collections', { campaignId: (await aPledge()).campaignId }),
    ibans: async () => ({ id: campaign.account.iban }),
    donors: async () => await aDonation((await aCampaign()).id),
    'bank-statements': aBankStatement,
    // Created by a key without a user, so that any user may confirm them; editors withdraw only their own.
    'account-requests': async ({ client }) => {
      const { status, body } = await client.post('/account-requests', await anAccountChange())
      return status === 201 ? body : await make('/account-requests', await anAccountChange())
    },
    'payer-rules': async () => await make('/payer-rules', { iban: anIban(), action: 'ignore' }),
    entries: async (_, { 'bank-statements': id }) => (await admin.get(`/bank-statements/${id}/entries`)).body[0],
    // Creating one is slow, and reading does not change it.
    receipts: async (_, { 'by-token': token }, path) => {
      if (token !== undefined || path.endsWith('/withdraw')) return await aReceipt(token)
      receiptToRead ??= aReceipt()
      return await receiptToRead
    },
    'receipt-runs': aReceiptRun,
    backups: async () => ({ id: await backups.writeBackup(store) }),
    downloads: async ({ client }) => ({
      id: (await client.post(`/backups/${await backups.writeBackup(store)}/downloads`)).body.ticket ?? 'refused'
    }),
    webhooks: aWebhook,
    deliveries: async (_, { webhooks }) => await aDelivery(Number(webhooks)),
    users: async () => await aPerson('viewer'),
    invitations: anInvitation,
    // Their ids count per account.
    passkeys: async () => {
      await givePasskey(person ?? (await aPerson()))
      return { id: 1 }
    },
    // Users end their own sessions.
    sessions: async () => {
      const { id: userId } = person ?? (await aPerson())
      return await store.one(sql`
        insert into platform.sessions (token_prefix, hash, user_id, created_at, last_used_at)
        values (${randomBytes(5).toString('hex')}, ${randomBytes(32)}, ${userId}, now(), now())
        returning id`)
    },
    keys: async () => await make('/keys', { name: 'made for a path', role: 'viewer' }),
    events: async ({ client }) => await make(`${calendar}/events`, { ...event, slug: newName() }, client),
    // The first version of the event in the path.
    versions: async () => ({ id: 1 }),
    bulk: async by => await aBulkAction(by),
    series: async ({ client }) =>
      (await make(`${calendar}/events`, { ...event, slug: newName(), recurrence: 'FREQ=DAILY;COUNT=2' }, client))
        .series,
    venues: async ({ client }) => await make(`${calendar}/venues`, { venue: 'Town Hall', slug: newName() }, client),
    organizers: async ({ client }) =>
      await make(`${calendar}/organizers`, { organizer: 'Choir', slug: newName() }, client),
    categories: async () => await make(`${calendar}/categories`, { name: newName() }),
    tags: async () => await make(`${calendar}/tags`, { name: newName() }),
    media: async by => await anImage(by),
    pages: async () => await aPage(),
    files: async () => await aFile(),
    imports: async (_by, _inside, path) => await anImport(path),
    subscriptions: async (_by, _inside, path) => await aSubscription(path),
    suggestions: async () => {
      const body = { ...event, title: newName(), sender_email: newEmail() }
      const { headers } = await service.visitor.post(`${calendar}/suggestions`, body)
      return { id: Number(headers.location?.split('/').at(-1)) }
    }
  }

  /** The path with ids of newly created items, or with the given ids. */
  async function pathOf(
    { path, name: wanted }: Operation,
    given: Record<string, string> = {},
    by: Maker = { client: admin }
  ) {
    // Emails need both; without them links have the host of the request.
    Object.assign(service.settings, { smtpUrl: undefined, publicUrl: undefined })
    await preconditions[wanted]?.()
    const made: Record<string, string> = {}
    for (const [, segment = '', name = ''] of path.matchAll(/([^/{}]+)(?:\/by-slug)?\/\{(\w+)\}/g)) {
      const maker = makers[segment]
      if (maker === undefined)
        throw new Error(`${path}: add to test/support/crawl/route-crawler.ts how to create one of ${segment}.`)
      const { id, slug, url = '' } = await maker(by, made, path)
      made[segment] = made[name] = String(name === 'slug' ? slug : id)
      // The rest of a file's URL is in the created item.
      if (path.endsWith('/{name}') || path === '/media/{id}/{token}') {
        const parts = new URL(url).pathname.split('/').slice(3)
        Object.assign(made, { token: parts[0], size: parts.at(-2), name: parts.at(-1) })
      }
    }
    return path.replace(/\{(\w+)\}/g, (_, name) => given[name] ?? made[name] ?? '')
  }

  /** A request of an admin that succeeds once. */
  async function validRequest(
    operation: Operation,
    given: Record<string, string> = {},
    by?: Maker
  ): Promise<InjectOptions> {
    const { name, method, body, takesXml } = operation
    await preconditions[name]?.()
    const url = (await pathOf(operation, given, by)) + buildQuery(operation)
    if (takesXml)
      return { method, url, headers: { 'content-type': 'application/xml' }, payload: buildStatement([buildBooking()]) }
    if (body === undefined) return { method, url }
    if (isFileUpload(operation)) return { method, url, ...buildMultipartForm(buildCalendarBody(body), picture) }
    const sample = isCalendarOperation(operation) ? buildCalendarBody(body) : (buildSample(body) as object)
    const payload = JSON.stringify((await bodyBuilders[name]?.(sample)) ?? sample)
    return { method, url, headers: { 'content-type': 'application/json' }, payload }
  }

  /** The same, with the session of a user for operations that a key cannot call. */
  async function validRequestOfAdmin(operation: Operation): Promise<InjectOptions> {
    const { token } = isUserOperation(operation) ? await aPerson('admin', operation.name) : { token: undefined }
    const request = await validRequest(operation)
    if (token === undefined) return request
    return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } }
  }

  /** Reads the written item: by the Location header, by the path itself, or from the list. */
  async function readAgain({ url: path, headers }: InjectOptions, answer: TestResponse): Promise<unknown> {
    const url = String(path)
    const { authorization } = headers ?? {}
    const credentials: Record<string, string> =
      authorization === undefined ? {} : { authorization: String(authorization) }
    // Changed at a path of its own, because other roles may do it.
    const readUrl = url === '/site/appearance' ? '/site' : url
    const one = await admin.get(answer.headers.location ?? readUrl, credentials)
    if (one.status === 200) return one.body
    const list = (await admin.get(url)).body as { id: unknown }[]
    // Bulk operations have nothing to read.
    return Array.isArray(list) ? list.find(({ id }) => id === answer.body.id) : undefined
  }

  const operations = listOperations(document)
  return {
    ...service,
    /** All routes as they are registered, documented or not. */
    routes,
    document,
    operations,
    /** Operations of the calendar have another error format. */
    ofCalendar: operations.filter(isCalendarOperation),
    ofOthers: operations.filter(operation => !isCalendarOperation(operation)),
    aCampaign,
    aDonation,
    aPerson,
    pathOf,
    validRequest,
    validRequestOfAdmin,
    readAgain
  }
}

export const isCalendarOperation = (operation: Pick<Operation, 'x-service'>) => operation['x-service'] === 'calendar'

/** Operations for users only: about the own account, which a key does not have, or as a second person, which a key is not. */
export const isUserOperation = ({ name, path }: Pick<Operation, 'name' | 'path'>) =>
  path.startsWith('/users/me') ||
  name === 'POST /account-requests/{requestId}/confirm' ||
  (path.startsWith('/sessions') && name !== 'POST /sessions')

/** The password of every user that the crawler creates. */
const password = 'the password of the walk'
const totpSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

let emailCount = 0
function newEmail(): string {
  emailCount += 1
  return `ada${emailCount}@example.org`
}

/** An image comes as a file, not as JSON. */
export const isFileUpload = ({ name }: Pick<Operation, 'name'>) => name === `POST ${calendar}/media`

/** The smallest picture there is. */
export const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64'
)

/** A multipart form of the fields, with a file if there is one. */
export function buildMultipartForm(
  fields: Record<string, unknown>,
  file?: Buffer
): Pick<InjectOptions, 'headers' | 'payload'> {
  const head = (rest: string) => Buffer.from(`--the-border\r\ncontent-disposition: form-data; ${rest}\r\n\r\n`)
  const parts = Object.entries(fields).flatMap(([name, value]) => [
    head(`name="${name}"`),
    Buffer.isBuffer(value) ? value : Buffer.from(String(value)),
    Buffer.from('\r\n')
  ])
  const files = file === undefined ? [] : [head('name="file"; filename="dot.png"'), file, Buffer.from('\r\n')]
  return {
    headers: { 'content-type': 'multipart/form-data; boundary=the-border' },
    payload: Buffer.concat([...parts, ...files, Buffer.from('--the-border--\r\n')])
  }
}

export function listOperations({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([word, documented]) => {
      const method = word.toUpperCase() as Operation['method']
      return {
        ...documented,
        name: `${method} ${path}`,
        method,
        path,
        roles: documented['x-roles'],
        openToVisitors: documented.security.some(way => Object.keys(way).length === 0),
        body: documented.requestBody?.content['application/json']?.schema,
        takesXml: documented.requestBody?.content['application/xml'] !== undefined
      }
    })
  )
}

export function listParameters({ parameters }: Operation, place: Parameter['in']): Parameter[] {
  return parameters.filter(parameter => parameter.in === place)
}

/** The path with one of its ids replaced. */
export function replacePathId({ path }: Operation, valid: string, name: string, id: string): string {
  const own = valid.split('?', 1)[0]?.split('/') ?? []
  return path
    .split('/')
    .map((segment, at) => (segment.includes(`{${name}}`) ? segment.replace(`{${name}}`, () => id) : own[at]))
    .join('/')
}

/** The required query parameters with valid values, without `except`. */
export function buildRequiredQuery(operation: Operation, except?: string): string[] {
  return (
    listParameters(operation, 'query')
      .filter(({ required, name }) => required === true && name !== except)
      // The crawler has issued receipts of this year.
      .map(
        ({ name, schema }) => `${name}=${name === 'year' ? new Date().getFullYear() : buildValidValue(name, schema)}`
      )
  )
}

function buildQuery(operation: Operation): string {
  const pairs = buildRequiredQuery(operation)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** A valid value of the schema, with all optional fields; the example if there is one. */
export function buildSample(schema: Schema, name = ''): unknown {
  if (schema.examples !== undefined) return schema.examples[0]
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf?.[0] !== undefined) return buildSample(schema.anyOf[0], name)
  if (schema['x-instant'] === true || schema.format === 'date-time') {
    return name === 'startsAt' ? '2001-01-01T00:00:00.000Z' : '2100-01-01T00:00:00.000Z'
  }
  if (schema.format === 'email') return newEmail()
  if (schema.writeOnly === true) return 'Some secret words'
  switch ([schema.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, property]) => [key, buildSample(property, key)])
      )
    case 'array':
      return schema.items === undefined ? [] : [buildSample(schema.items, name)]
    case 'string':
      return 'Some words'
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    default:
      throw new Error(`${name}: add to test/support/crawl/route-crawler.ts a value for ${JSON.stringify(schema)}.`)
  }
}

export interface Field {
  pointer: string
  schema: Schema
  required: boolean
  nullable: boolean
}

/** Every field of a body, with those inside it. */
export function listFields(schema: Schema, above = ''): Field[] {
  const { properties = {}, required = [], items } = schema
  const needed = [...required, ...(schema.else?.required ?? [])]
  const inside: [string, Schema][] = items === undefined ? Object.entries(properties) : [['0', items]]
  return inside.flatMap(([name, property]) => {
    const pointer = `${above}/${name}`
    const nullable =
      [property.type].flat().includes('null') || property.anyOf?.some(one => one.type === 'null') === true
    return [{ pointer, schema: property, required: needed.includes(name), nullable }, ...listFields(property, pointer)]
  })
}

/** The body as JSON with one field replaced by raw text, which may be malformed JSON. */
export function replaceWithRaw(body: unknown, pointer: string, raw: string | undefined): string {
  const copy = structuredClone(body) as Record<string, unknown>
  const names = pointer.slice(1).split('/')
  const last = names.pop() ?? ''
  const holder = names.reduce((inside, name) => {
    inside[name] ??= {}
    return inside[name] as Record<string, unknown>
  }, copy)
  const place = 'the place of the raw text'
  if (raw === undefined && Array.isArray(holder)) holder.splice(Number(last), 1)
  else if (raw === undefined) delete holder[last]
  else holder[last] = place
  return JSON.stringify(copy).replace(JSON.stringify(place), () => raw ?? '')
}

export function getValueAt(body: unknown, pointer: string): unknown {
  const names = pointer.slice(1).split('/')
  return names.reduce((inside, name) => (inside as Record<string, unknown> | undefined)?.[name], body)
}

/**
 * A checksum of each table: the sum of the transaction ids of its rows, which is faster than reading the rows. When
 * a user was last seen is written at any time and not counted, and a repeated idempotency key is rewritten unchanged,
 * so the rows of those tables are read. Counters of attempts are left out.
 */
export async function fingerprintTables({ store }: { store: { all<Row>(statement: Sql): Promise<Row[]> } }) {
  const tables = await store.all<{ name: string; row: string }>(
    new Sql(
      `select format('%I.%I', table_schema, table_name) as name,
         case when bool_or(column_name in ('last_used_at', 'last_seen_at', 'key_hash'))
           then format('hashtextextended(row(%s)::text, 0)', string_agg(format('it.%I', column_name), ', ')
             filter (where column_name not in ('last_used_at', 'last_seen_at')))
           else 'it.xmin::text::bigint' end as row
       from information_schema.columns join pg_tables on schemaname = table_schema and tablename = table_name
       where table_schema not in ('pg_catalog', 'information_schema', 'graphile_worker') 
         -- Counts of attempts and unfinished sign-ins: a refused request changes these deliberately.
         and table_name not in ('counters', 'sign_in_steps')
       group by table_schema, table_name`,
      []
    )
  )
  const digests = tables.map(
    ({ name, row }) =>
      `select '${name}' as name, count(*) as rows, sum(${row})::text as digest from ${name} as it ${
        // A refused sign-in is recorded deliberately.
        /^platform\.(?:activity|webhook_deliveries)$/.test(name) ? "where action <> 'session.refused'" : ''
      }`
  )
  return await store.all<{ name: string; rows: number; digest: string | null }>(
    // Without an order PostgreSQL may read large tables in parallel, and return them in any order.
    new Sql(`${digests.join(' union all ')} order by name`, [])
  )
}

const ajv = new Ajv2020({ allErrors: true, strict: false })
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
for (const format of ['uri', 'email', 'binary']) ajv.addFormat(format, true)
ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/)
ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

/** A function that lists the violations of a schema, counting fields that the schema does not name. */
export function newSchemaValidator(schema: Schema): (value: unknown) => string[] {
  const key = JSON.stringify(schema)
  const validate = validators.get(key) ?? ajv.compile(forbidUnknownFields(schema) as object)
  validators.set(key, validate)
  return value =>
    validate(value)
      ? []
      : (validate.errors ?? []).map(error => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`)
}

/** The differences between a response and the document, counting fields that the document does not name. */
export function findUndocumented({ responses }: Operation, { status, headers, body, text }: TestResponse): string[] {
  const documented = responses[status] ?? (status >= 400 ? responses.default : undefined)
  if (documented === undefined) return [`${status} is not documented`]
  const type = (headers['content-type'] ?? '').split(';', 1)[0] ?? ''
  if (documented.content === undefined) return text === '' ? [] : [`a body of ${type} is not documented`]
  const content = documented.content[type] ?? documented.content[type.replace(/\/.*/, '/*')]
  return content === undefined ? [`${type} is not documented`] : newSchemaValidator(content.schema)(body)
}

/** By the JSON of the schema: compiling a validator takes far longer than using it, and many parameters have equal schemas. */
const validators = new Map<string, ReturnType<typeof ajv.compile>>()

function forbidUnknownFields(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(forbidUnknownFields)
  if (typeof schema !== 'object' || schema === null) return schema
  const inside = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, forbidUnknownFields(value)]))
  return 'properties' in inside && !('patternProperties' in inside) && inside.type === 'object'
    ? { ...inside, additionalProperties: false }
    : inside
}

/** The document with every component where it is used, instead of a reference to it. */
export function dereference<Doc extends { components: object }>(document: Doc): Doc {
  const components = document.components as Record<string, Record<string, unknown>>
  const resolved = new Map<string, unknown>()
  const resolve = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(resolve)
    if (typeof part !== 'object' || part === null) return part
    const { $ref } = part as { $ref?: unknown }
    if (typeof $ref === 'string') {
      const [kind = '', name = ''] = $ref.replace('#/components/', '').split('/')
      if (!resolved.has($ref)) resolved.set($ref, resolve(components[kind]?.[name]))
      return resolved.get($ref)
    }
    return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, resolve(value)]))
  }
  return resolve(document) as Doc
}
