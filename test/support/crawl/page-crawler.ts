// All routes of pages, as the program registers them, so that a new page is tested automatically.
import { type UserRole, userRoles } from '#platform/auth/users/schema.ts'
import { startAdmin } from '../admin-client.ts'
import { findDangerousMarkup, type HtmlForm, parseForms, parseTags } from '../html.ts'
import type { TestResponse } from '../services.ts'
import { createBackupFolder } from './backup-folder.ts'
import { createMaliciousContent } from './malicious-content.ts'
import { findRoute, type Route, recordPageRoutes } from './page-routes.ts'

/** Pages of the console for users who have not signed in. */
export const isSignedOutPage = /^\/admin\/(?:sign-in|setup|invitation|reset|forgotten)(?:\/|$)/
/** Answered with something else than a page. */
export const isFile = (path: string) =>
  /\.(?:csv|json|jsonl|ics|css|svg|png|ico|jpg|txt|xml|rss|atom|pdf|zip|webmanifest)$|^\/(?:assets|widgets)\/|^\/oembed$|\/ical$|^\/events\/feed$|\/download$/.test(
    path
  )
export const browserHeaders = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

export async function startPageCrawler() {
  const backups = await createBackupFolder()
  const { started: site, routes } = await recordPageRoutes(
    async () => await startAdmin({ env: { TIMEZONE: 'Europe/Berlin', CURRENCY: 'EUR', BACKUP_DIR: backups.folder } })
  )
  const made = await createMaliciousContent(site)
  const backup = await backups.writeBackup(site.store)
  const sessions = {} as Record<UserRole, string>
  for (const role of userRoles) sessions[role] = await newSession(role)

  async function newSession(role: UserRole): Promise<string> {
    const email = `${role}-${Math.random().toString(36).slice(2)}@example.org`
    await site.admin.post('/users', { name: `The ${role}`, email, role, password: 'a password of the tests' })
    return (await site.visitor.post('/sessions', { email, password: 'a password of the tests' })).body.token
  }

  const findSlug = (folder: string) =>
    made.pages
      .public('de')
      .find(({ path }) => path.startsWith(folder))
      ?.path.slice(folder.length) ?? ''
  const pathValues: Record<string, Record<string, string | number>> = {
    '/admin/events': { id: made.shown.id, version: 1 },
    '/admin/series': { id: made.series.id },
    '/admin/venues': { id: made.venue.id },
    '/admin/organizers': { id: made.organizer.id },
    '/admin/categories': { id: made.category.id },
    '/admin/tags': { id: made.tag.id },
    '/admin/images': { id: made.media.id },
    '/admin/campaigns': { id: made.roof.id, update: made.update.id },
    '/admin/account-requests': { id: made.accountRequest.id },
    '/admin/donations': {
      ...{ campaign: made.roof.id, donation: made.given.id },
      ...{ note: made.note.id, payment: made.payment.id }
    },
    '/admin/statements/rules': { id: made.rule.id },
    '/admin/statements': { id: made.statement.id, entry: made.statement.entry },
    '/admin/collections': { id: made.collection.id, reference: made.promised.reference },
    '/admin/receipts/runs': { id: made.run.id },
    '/admin/receipts': { id: made.receipt.id },
    '/admin/donors': {
      ...{ id: made.donor.id, other: made.donor.other, merge: made.donor.merge },
      ...{ note: made.donor.note, letter: made.donor.letter },
      ...{ donation: made.donor.donation, campaign: made.roof.id }
    },
    '/admin/account/security': { id: 1 },
    '/admin/users': { id: made.user.id },
    '/admin/invitations': { id: made.invitation.id },
    '/admin/account/sessions': { id: 1 },
    '/admin/keys': { id: made.key.id },
    '/admin/webhooks': { id: made.webhook.id, delivery: made.delivery.id },
    '/admin/suggestions': { id: made.suggestion.id },
    '/admin/imports': { id: made.checked.id, source: 'csv' },
    '/admin/subscriptions': { id: made.subscription.id, run: 1 },
    '/admin/pages': { id: made.page.id },
    '/admin/data/backups': { name: backup },
    '/en/calendar': { when: '2027-02', token: 'ksl_1234567890_x' },
    '/de/kalender': { when: '2027-02-14', token: 'ksl_1234567890_x' },
    '/en/event': { slug: made.shown.slug },
    '/de/termin': { slug: findSlug('/de/termin/') },
    '/en/venue': { slug: made.venue.slug },
    '/de/ort': { slug: findSlug('/de/ort/') },
    '/en/organizer': { slug: made.organizer.slug },
    '/de/veranstalter': { slug: findSlug('/de/veranstalter/') },
    '/en/category': { slug: made.category.slug },
    '/de/kategorie': { slug: findSlug('/de/kategorie/') },
    '/en/tag': { slug: made.tag.slug },
    '/de/schlagwort': { slug: findSlug('/de/schlagwort/') },
    '/en/donate': { campaign: made.roof.id, token: made.given.donorToken, update: made.update.id },
    '/de/spenden': { campaign: made.roof.id, token: made.given.donorToken, update: made.update.id },
    '/en/embed/events': { id: made.shown.id },
    '/de/embed/events': { id: made.shown.id },
    '/en/embed/campaigns': { id: made.roof.id },
    '/de/embed/campaigns': { id: made.roof.id },
    '/embed/events': { id: made.shown.id },
    '/embed/campaigns': { id: made.roof.id },
    '/widgets': { name: 'v1.js' },
    '/en/problems': { code: 'campaign-not-found' },
    '/de/probleme': { code: 'campaign-not-found' },
    '/problems': { code: 'campaign-not-found' },
    '/en': { '*': 'nothing-here', page: made.page.texts.en.slug },
    '/de': { '*': 'nichts/hier', page: made.page.texts.de.slug },
    '/assets': { name: 'site.css' },
    '/events': { '*': 'a/b' },
    '/wp-content/uploads': { '*': '2026/05/photo.jpg' },
    '/event': { slug: made.shown.slug },
    '/venue': { slug: made.venue.slug },
    '/organizer': { slug: made.organizer.slug },
    '/tag': { slug: made.tag.slug }
  }

  /** The path with existing ids, or with other values for some parts. */
  function fill(path: string, replaced: Record<string, string> = {}): string {
    const known = Object.entries(pathValues).find(([prefix]) => path.startsWith(`${prefix}/`))?.[1] ?? {}
    return path.replace(/:(\w+)|\*/g, (part, name = part) => {
      const value = replaced[name] ?? known[name]
      if (value === undefined) throw new Error(`${path}: add a value of ${name} to test/support/crawl/page-crawler.ts.`)
      return replaced[name] ?? encodeURIComponent(String(value))
    })
  }

  const cookieOf = (role: UserRole) => ({ cookie: `kalends_session=${sessions[role]}` })

  async function tokenOf(role: UserRole): Promise<string> {
    const { text } = await site.visitor.get('/admin/account', cookieOf(role))
    return /name="_token" value="([0-9a-f]+)"/.exec(text)?.[1] ?? ''
  }

  async function follow(path: string, headers: Record<string, string>): Promise<TestResponse & { path: string }> {
    const answer = await site.visitor.get(path, headers)
    const { location } = answer.headers
    return answer.status === 301 && location !== undefined ? await follow(location, headers) : { ...answer, path }
  }

  /** All forms of the pages, by their route; and the parameters of links and forms, by page. */
  async function crawl() {
    const found = new Map<string, HtmlForm>()
    const parameters = new Map<string, Set<string>>()
    const note = (link: string, page: string) => {
      if (!/^[/?]/.test(link)) return
      const { pathname, search } = new URL(link, `http://here.example${page}`)
      const route = findRoute(routes, 'GET', pathname)?.path ?? ''
      const names = search
        .slice(1)
        .split('&')
        .map(pair => decodeURIComponent(pair.split('=')[0] ?? ''))
      for (const name of names) if (name !== '') parameters.set(route, (parameters.get(route) ?? new Set()).add(name))
    }
    const extra = ['en/event', 'de/termin'].map(folder => `/${folder}/${made.locked.slug}`)
    const lists = ['events?show', 'venues?show', 'organizers?show'].map(list => `/admin/${list}=trash`)
    const pages = routes.filter(({ method }) => method === 'GET').map(({ path }) => fill(path))
    const money = [
      ...['', '/went-back', `/payments/${made.payment.id}/remove`].map(step => made.paid.id + step),
      made.undoable.id
    ].map(step => `/admin/donations/${made.roof.id}/${step}`)
    for (const page of [...pages, ...extra, ...lists, ...money]) {
      const headers = page === '/admin/sign-in' ? browserHeaders : { ...browserHeaders, ...cookieOf('admin') }
      const { text, path } = await follow(page, headers)
      for (const link of parseTags(text)) note(link.attributes.href ?? '', path)
      for (const form of parseForms(text)) {
        if (form.method !== 'post') {
          note(`${form.action}?${Object.keys(form.fields).join('&')}`, path)
          continue
        }
        const route = findRoute(routes, 'POST', form.action)
        if (route !== undefined && !found.has(route.path)) found.set(route.path, form)
      }
    }
    return { forms: found, parameters }
  }

  return { ...site, made, routes, sessions, newSession, fill, follow, cookieOf, tokenOf, ...(await crawl()) }
}

const internal =
  /\b(?:Type|Range|Reference|Syntax|Assertion|URI)Error\b|node_modules|node:internal|\[object Object\]|Invalid Date|\.tsx?:\d|\bERR_[A-Z]|>undefined<|>null<|="undefined"|="\[object|platform\.users|syntax error at/

/** A console page that waits for a job loads itself again without JavaScript. */
const consoleRefresh = /<noscript><meta http-equiv="refresh" content="\d+;url=\/admin\/[\w./?=&;-]*"\/?><\/noscript>/

/** Faults that no response of a page may have, whatever the request. */
export function findPageFaults({ status, headers, text }: TestResponse, { isPage = true } = {}): string[] {
  const { location, 'content-type': type = '' } = headers
  const isHtml = type.startsWith('text/html')
  return [
    ...(status >= 200 && status < 500 ? [] : [`a ${status}`]),
    ...(location !== undefined && new URL(location, 'http://here.example').host !== 'here.example'
      ? [`redirects to ${location.slice(0, 80)}`]
      : []),
    ...(isPage && location === undefined && status !== 204 && status !== 304 && !isHtml ? [`is ${type}, no page`] : []),
    ...(isHtml ? findDangerousMarkup(text.replace(consoleRefresh, '')).map(danger => `contains ${danger}`) : []),
    // A backup contains the names of tables.
    ...(type === 'application/octet-stream' || internal.exec(text) === null
      ? []
      : [`contains ${internal.exec(text)?.[0]}`])
  ]
}

const everybody: readonly UserRole[] = userRoles
const editors: readonly UserRole[] = ['editor', 'admin']
const readers: readonly UserRole[] = ['viewer', 'editor', 'admin']
const treasurers: readonly UserRole[] = ['treasurer', 'admin']

/** The roles of each console route, first match first. Written independently of the program, so that a change of permissions fails here. */
const rights: [route: RegExp, roles: readonly UserRole[]][] = [
  [/^POST \/admin\/account-requests\/:id\/confirm$/, treasurers],
  [/^(GET|POST) \/admin\/account-requests\b/, ['editor', 'treasurer', 'admin']],
  [/^(GET|POST) \/admin(\/(account|search|sign-out|checklist).*)?$/, everybody],
  [/^POST \/admin\/campaigns\/:id\/restore$/, ['admin']],
  [/^GET \/admin\/campaigns(\.csv|\/:id)?$/, everybody],
  [/^(GET|POST) \/admin\/campaigns\/(new|:id|:id\/delete)$/, ['editor', 'treasurer', 'admin']],
  [/^(GET|POST) \/admin\/campaigns\/:id\/offline-amounts\b/, treasurers],
  [
    /^(GET|POST) \/admin\/(campaigns\/:id\/(story|updates|presentation)|presentation)\b/,
    ['editor', 'treasurer', 'admin']
  ],
  [/^(GET|POST) \/admin\/(donations|donors|statements|collections|receipts|journal|organisation)\b/, treasurers],
  [/^GET \/admin\/(events|venues|organizers|categories|tags)(\.csv)?$/, readers],
  [/^GET \/admin\/pages$/, readers],
  [
    /^(GET|POST) \/admin\/(events|series|suggestions|venues|organizers|categories|tags|images|imports|subscriptions|pages|appearance)\b/,
    editors
  ],
  [/^(GET|POST) \/admin\/(users|invitations|keys|webhooks|activity|data|settings|sample-content|samples)\b/, ['admin']]
]

export function isAllowedAt({ method, path }: Route, role: UserRole): boolean {
  const found = rights.find(([route]) => route.test(`${method} ${path}`))
  if (found === undefined) throw new Error(`${method} ${path}: add its roles to test/support/crawl/page-crawler.ts.`)
  return found[1].includes(role)
}
