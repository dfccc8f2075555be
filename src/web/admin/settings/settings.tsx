import type { AccountRequest } from '#fundraising/account-requests/schema.ts'
import type { Language } from '#platform/language.ts'
import { getMessages, type Messages } from '#platform/messages/messages.ts'
import type { Site, SiteChanges } from '#platform/site/schema.ts'
import { normalizeIban } from '../../format/iban.ts'
import { redirect } from '../../page/page.ts'
import { getFormField } from '../../server/context.ts'
import {
  AccountRequestNotices,
  isSecondPersonNeeded,
  listAccountRequests,
  requestAccountChange
} from '../account-requests/account-request-notices.tsx'
import type { AdminContext, AdminPage, AdminRouter } from '../shared/context.ts'
import { toLabelledErrors } from '../shared/field-errors.ts'
import { isConflict, toFormErrors } from '../shared/form.tsx'
import { getLabels, parseInput, toBody } from '../shared/forms/form-input.ts'
import { generalFields } from './settings-fields.ts'
import { GeneralForm } from './settings-forms.tsx'
import { getSiteLabels, parseSite } from './site-fields.tsx'

const menu = '/admin/settings'

/** Saved values, errors of the submitted form, and a conflict if another user saved first. */
export interface SettingsFormState {
  site: Site
  etag: string
  /** Account changes that wait for a second person. */
  requests: AccountRequest[]
  errors: Record<string, string>
  general?: string | undefined
  /** The submitted values, if another user has changed the same fields in the meantime. */
  conflict?: SiteChanges | undefined
}

/** Settings of the site. Admins only. */
export function registerSettingsRoutes(pages: AdminRouter): void {
  pages.get(menu, [], async context => buildGeneralPage(context, await loadSettings(context)))

  pages.post(menu, [], async context => {
    const refused = await save(context, parseGeneral(context))
    return refused === undefined ? redirect(menu, 303) : buildGeneralPage(context, refused)
  })
}

async function loadSettings(context: AdminContext): Promise<SettingsFormState> {
  const [{ body, etag }, requests] = await Promise.all([context.api.get<Site>('/site'), listAccountRequests(context)])
  return { site: body, etag, requests: requests.filter(({ campaignId }) => campaignId === null), errors: {} }
}

/** Saves; returns errors and conflicts. */
async function save(context: AdminContext, changes: SiteChanges): Promise<SettingsFormState | undefined> {
  const strings = getMessages('settings', context.language)
  try {
    const isRequested = await saveOrRequest(context, changes)
    context.flash({
      text: isRequested ? getMessages('account-request', context.language).requestedOnly : strings.saved
    })
    return undefined
  } catch (error) {
    const saved = await loadSettings(context)
    if (isConflict(error)) return { ...saved, conflict: changes }
    const { fields, general } = toFormErrors(error)
    const instead = {
      ...(fields.contactEmail === undefined ? {} : { contactEmail: getMessages('sign-in', context.language).badEmail }),
      ...(fields.languages === undefined ? {} : { languages: strings.languageMissing })
    }
    return { ...saved, errors: toLabelledErrors(fields, listLabels(context.language), instead), general }
  }
}

/** Saves everything; what a second person has to confirm is requested first, then the rest is saved. */
async function saveOrRequest(context: AdminContext, changes: SiteChanges): Promise<boolean> {
  const headers = { 'if-match': getFormField(context, 'etag') || '*' }
  try {
    await context.api.patch('/site', changes, headers)
    return false
  } catch (error) {
    if (!isSecondPersonNeeded(error)) throw error
    const { account, secondPersonForAccounts, ...rest } = changes
    const { site } = await loadSettings(context)
    const isMoved = account != null && normalizeIban(account.iban) !== site.account?.iban
    if (isMoved) await requestAccountChange(context, { change: 'site_account', account: toRequested(account) })
    if (secondPersonForAccounts === false) await requestAccountChange(context, { change: 'turn_off' })
    await context.api.patch('/site', isMoved ? rest : { ...rest, account }, headers)
    return true
  }
}

function toRequested({ nameOfBank, ...account }: NonNullable<SiteChanges['account']>) {
  return nameOfBank === undefined ? account : { ...account, nameOfBank }
}

function listLabels(language: Language): Record<string, string> {
  const strings = getMessages('settings', language)
  return {
    ...getLabels(generalFields, strings),
    ...getSiteLabels(language, ''),
    secondPersonForAccounts: getMessages('account-request', language).setting
  }
}

function parseGeneral(context: AdminContext): SiteChanges {
  const input = parseInput(context, generalFields)
  return {
    ...parseSite(context, ''),
    ...toBody(context, generalFields, { ...input, currency: input.currency.toUpperCase() }).body,
    secondPersonForAccounts: getFormField(context, 'secondPersonForAccounts') !== ''
  }
}

function buildGeneralPage(context: AdminContext, settings: SettingsFormState): AdminPage {
  const strings = getMessages('settings', context.language)
  const hasFailed = settings.general !== undefined || Object.keys(settings.errors).length > 0
  return {
    title: strings.title,
    menu,
    status: settings.conflict === undefined ? (hasFailed ? 422 : 200) : 412,
    scripts: ['console'],
    body: (
      <div class="narrow">
        <SettingsTabs strings={strings} part="general" />
        {settings.conflict === undefined ? null : <Conflict context={context} settings={settings} strings={strings} />}
        <AccountRequestNotices context={context} requests={settings.requests} />
        <GeneralForm context={context} settings={settings} />
      </div>
    )
  }
}

export function SettingsTabs({ strings, part }: { strings: Messages<'settings'>; part: 'general' | 'organisation' }) {
  const current = (one: string) => (one === part ? { 'aria-current': 'page' as const } : {})
  return (
    <nav class="tabs" aria-label={strings.sections}>
      <ul>
        <li>
          <a href={menu} {...current('general')}>
            {strings.parts.general}
          </a>
        </li>
        <li>
          <a href="/admin/organisation" {...current('organisation')}>
            {strings.parts.organisation}
          </a>
        </li>
      </ul>
    </nav>
  )
}

/** Shows both versions of the changed fields; saving again overwrites with one's own. */
function Conflict({
  context,
  settings,
  strings
}: {
  context: AdminContext
  settings: SettingsFormState
  strings: Messages<'settings'>
}) {
  const general = getMessages('admin', context.language).conflict
  const labels = listLabels(context.language)
  const [theirs, ours] = [flattenFields(settings.site), flattenFields(settings.conflict ?? {})]
  const differing = Object.keys(ours).filter(name => (theirs[name] ?? '') !== ours[name])
  return (
    <div class="notice warn" role="alert" tabIndex={-1} data-focus>
      <p>
        <strong>{general.title}</strong>
      </p>
      <p>{general.text}</p>
      {differing.length === 0 ? null : (
        <table class="table conflict">
          <caption class="visually-hidden">{general.title}</caption>
          <thead>
            <tr>
              <th scope="col">{strings.conflictField}</th>
              <th scope="col">{general.theirs}</th>
              <th scope="col">{general.yours}</th>
            </tr>
          </thead>
          <tbody>
            {differing.map(name => (
              <tr key={name}>
                <th scope="row">{labels[name] ?? name}</th>
                <td>{theirs[name] || strings.empty}</td>
                <td>{ours[name] || strings.empty}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}

/** Flattens fields to their paths, as text: `account/iban`. */
function flattenFields(value: object, path = ''): Record<string, string> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]): [string, string][] => {
      if (Array.isArray(one)) return [[path + name, one.join(', ')]]
      if (typeof one === 'object' && one !== null) return Object.entries(flattenFields(one, `${path}${name}/`))
      return [[path + name, one === null ? '' : String(one)]]
    })
  )
}
