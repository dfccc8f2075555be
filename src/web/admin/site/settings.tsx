import type { AccountRequest } from '#fundraising/account-requests/schema.ts'
import type { Language } from '#platform/language.ts'
import type { Site, SiteChanges } from '#platform/site/schema.ts'
import { withQuery } from '../../api.ts'
import { plainIban } from '../../iban.ts'
import { redirect } from '../../page.ts'
import { accountRequestWords } from '../../text/account-requests.ts'
import { consoleWords } from '../../text/console.ts'
import { doorWords } from '../../text/door.ts'
import { type SettingsWords, settingsWords } from '../../text/settings.ts'
import { field } from '../../visit.ts'
import {
  AccountRequestNotices,
  isSecondPersonNeeded,
  listAccountRequests,
  requestAccountChange
} from '../account-requests/account-request-notices.tsx'
import type { Console, ConsolePage, Desk } from '../console.ts'
import { isConflict, refusedForm } from '../form.tsx'
import { spoken } from '../spoken.ts'
import { GeneralForm, TextsForm } from './settings-forms.tsx'
import { siteIn, siteLabels } from './site-fields.tsx'

const menu = '/admin/settings'
const textsPath = '/admin/settings/texts'
const textNames = ['tagline', 'about', 'imprint', 'privacy'] as const

/** What is saved, what is wrong with what was sent, and whether somebody else was faster. */
export interface Settings {
  site: Site
  etag: string
  /** What waits for a second person. */
  requests: AccountRequest[]
  errors: Record<string, string>
  general?: string | undefined
  /** What the form sent, where it is about the same fields that somebody else has changed meanwhile. */
  conflict?: SiteChanges | undefined
}

/** What the organisation says of itself. Only admins come here. */
export function settingsPages(pages: Console): void {
  pages.show(menu, [], async desk => generalPage(desk, await find(desk)))
  pages.show(textsPath, [], async desk => textsPage(desk, await find(desk)))

  pages.take(menu, [], async desk => {
    const refused = await save(desk, generalIn(desk))
    return refused === undefined ? redirect(menu, 303) : generalPage(desk, refused)
  })

  pages.take(textsPath, [], async desk => {
    const lang = languageOf(desk)
    const refused = await save(
      desk,
      Object.fromEntries(textNames.map(name => [name, { [lang]: field(desk, `${name}/${lang}`) }]))
    )
    return refused === undefined ? redirect(withQuery(textsPath, { lang }), 303) : textsPage(desk, refused)
  })
}

async function find(desk: Desk): Promise<Settings> {
  const [{ body, etag }, requests] = await Promise.all([desk.api.get<Site>('/site'), listAccountRequests(desk)])
  return { site: body, etag, requests: requests.filter(({ campaignId }) => campaignId === null), errors: {} }
}

/** Saves, and says what came in its way. */
async function save(desk: Desk, changes: SiteChanges): Promise<Settings | undefined> {
  const words = settingsWords[desk.language]
  try {
    const isRequested = await saveOrRequest(desk, changes)
    desk.say({ text: isRequested ? accountRequestWords[desk.language].requestedOnly : words.saved })
    return undefined
  } catch (error) {
    const saved = await find(desk)
    if (isConflict(error)) return { ...saved, conflict: changes }
    const { fields, general } = refusedForm(error)
    const instead = {
      ...(fields.contactEmail === undefined ? {} : { contactEmail: doorWords[desk.language].badEmail }),
      ...(fields.languages === undefined ? {} : { languages: words.languageMissing })
    }
    return { ...saved, errors: spoken(fields, labelsOf(desk.language), instead), general }
  }
}

/** Saves everything; where a second person has to confirm something of it, requests that first and saves the rest. */
async function saveOrRequest(desk: Desk, changes: SiteChanges): Promise<boolean> {
  const headers = { 'if-match': field(desk, 'etag') || '*' }
  try {
    await desk.api.patch('/site', changes, headers)
    return false
  } catch (error) {
    if (!isSecondPersonNeeded(error)) throw error
    const { account, secondPersonForAccounts, ...rest } = changes
    const { site } = await find(desk)
    const isMoved = account != null && plainIban(account.iban) !== site.account?.iban
    if (isMoved) await requestAccountChange(desk, { change: 'site_account', account: toRequested(account) })
    if (secondPersonForAccounts === false) await requestAccountChange(desk, { change: 'turn_off' })
    await desk.api.patch('/site', isMoved ? rest : { ...rest, account }, headers)
    return true
  }
}

function toRequested({ nameOfBank, ...account }: NonNullable<SiteChanges['account']>) {
  return nameOfBank === undefined ? account : { ...account, nameOfBank }
}

function labelsOf(language: Language): Record<string, string> {
  const words = settingsWords[language]
  const texts = (['about', 'imprint', 'privacy'] as const).flatMap(name =>
    (['en', 'de'] as const).map(one => [`${name}/${one}`, words[name]])
  )
  const { setting } = accountRequestWords[language]
  return { ...siteLabels(language, ''), ...Object.fromEntries(texts), secondPersonForAccounts: setting }
}

function generalIn(desk: Desk): SiteChanges {
  const orNull = (text: string) => (text === '' ? null : text)
  const currency = field(desk, 'currency').toUpperCase()
  return {
    ...siteIn(desk, ''),
    contactEmail: orNull(field(desk, 'contactEmail')),
    ...(currency === '' ? {} : { currency }),
    accent: field(desk, 'accentOwn') === '' ? null : orNull(field(desk, 'accent')),
    weekStart: field(desk, 'weekStart') === 'sunday' ? 'sunday' : 'monday',
    logoUrl: orNull(field(desk, 'logoUrl')),
    secondPersonForAccounts: field(desk, 'secondPersonForAccounts') !== ''
  }
}

/** Whose texts are shown: of the address, else the console's own language if the site has it. */
function languageOf({ query, form, site, language }: Desk): Language {
  const asked = typeof form.lang === 'string' ? form.lang : query.lang
  if (asked === 'en' || asked === 'de') return asked
  return site.languages.includes(language) ? language : site.defaultLanguage
}

function generalPage(desk: Desk, settings: Settings): ConsolePage {
  return page(desk, settings, 'general', <GeneralForm desk={desk} settings={settings} />)
}

function textsPage(desk: Desk, settings: Settings): ConsolePage {
  const lang = languageOf(desk)
  return page(desk, settings, 'texts', <TextsForm desk={desk} settings={settings} lang={lang} path={textsPath} />)
}

function page(desk: Desk, settings: Settings, part: 'general' | 'texts', form: ConsolePage['body']): ConsolePage {
  const words = settingsWords[desk.language]
  const hasFailed = settings.general !== undefined || Object.keys(settings.errors).length > 0
  return {
    title: words.title,
    menu,
    status: settings.conflict === undefined ? (hasFailed ? 422 : 200) : 412,
    islands: ['console'],
    body: (
      <div class="narrow">
        <PartTabs words={words} part={part} />
        {settings.conflict === undefined ? null : <Conflict desk={desk} settings={settings} words={words} />}
        <AccountRequestNotices desk={desk} requests={settings.requests} />
        {form}
      </div>
    )
  }
}

export function PartTabs({ words, part }: { words: SettingsWords; part: 'general' | 'texts' | 'organisation' }) {
  const current = (one: string) => (one === part ? { 'aria-current': 'page' as const } : {})
  return (
    <nav class="tabs" aria-label={words.sections}>
      <ul>
        <li>
          <a href={menu} {...current('general')}>
            {words.parts.general}
          </a>
        </li>
        <li>
          <a href={textsPath} {...current('texts')}>
            {words.parts.texts}
          </a>
        </li>
        <li>
          <a href="/admin/organisation" {...current('organisation')}>
            {words.parts.organisation}
          </a>
        </li>
      </ul>
    </nav>
  )
}

/** Both versions of what differs; saving again takes the own one. */
function Conflict({ desk, settings, words }: { desk: Desk; settings: Settings; words: SettingsWords }) {
  const general = consoleWords[desk.language].conflict
  const labels = labelsOf(desk.language)
  const [theirs, ours] = [flat(settings.site), flat(settings.conflict ?? {})]
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
              <th scope="col">{words.conflictField}</th>
              <th scope="col">{general.theirs}</th>
              <th scope="col">{general.yours}</th>
            </tr>
          </thead>
          <tbody>
            {differing.map(name => (
              <tr key={name}>
                <th scope="row">{labels[name] ?? words[name as 'weekStart'] ?? name}</th>
                <td>{theirs[name] || words.empty}</td>
                <td>{ours[name] || words.empty}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}

/** Fields by their path, as text: `account/iban`. */
function flat(value: object, path = ''): Record<string, string> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]): [string, string][] => {
      if (Array.isArray(one)) return [[path + name, one.join(', ')]]
      if (typeof one === 'object' && one !== null) return Object.entries(flat(one, `${path}${name}/`))
      return [[path + name, one === null ? '' : String(one)]]
    })
  )
}
