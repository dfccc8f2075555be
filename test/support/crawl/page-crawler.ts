// Every address of the pages, as the program itself knows them: a new page is tested the day it is added.
import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { type UserRole, userRoles } from '#platform/auth/users/schema.ts'
import { startAdmin } from '../admin-client.ts'
import { findDangerousMarkup, type HtmlForm, parseForms, parseTags } from '../html.ts'
import type { TestResponse } from '../services.ts'
import { createMaliciousContent } from './malicious-content.ts'

export interface Route {
  method: 'GET' | 'POST'
  path: string
}

const ours =
  /^\/(?:$|(?:en|de|admin|assets|widgets|embed|event|venue|organizer|events|tag|feeds|api|\.well-known|wp-content)(?:\/|\.|$)|theme\.css|favicon|apple-touch-icon|icon-|site\.webmanifest|robots|sitemap|oembed)/
/** Pages of the console for people who have not signed in. */
export const isSignedOutPage = /^\/admin\/(?:sign-in|setup|invitation|reset|forgotten)(?:\/|$)/
export const browserHeaders = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

export async function startPageCrawler() {
  const routes: Route[] = []
  subscribe('fastify.initialization', message => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }) => {
      // Those for several methods only say what an address does not take.
      if ((method === 'GET' || method === 'POST') && ours.test(url))
        routes.push({ method: method as Route['method'], path: url })
    })
  })
  const site = await startAdmin({ env: { TIMEZONE: 'Europe/Berlin', CURRENCY: 'EUR' } })
  const made = await createMaliciousContent(site)
  const sessions = {} as Record<UserRole, string>
  for (const role of userRoles) sessions[role] = await newSession(role)

  async function newSession(role: UserRole): Promise<string> {
    const email = `${role}-${Math.random().toString(36).slice(2)}@example.org`
    await site.admin.post('/users', { name: `The ${role}`, email, role, password: 'a password of the tests' })
    return (await site.visitor.post('/sessions', { email, password: 'a password of the tests' })).body.token
  }

  const slugUnder = (folder: string) =>
    made.pages
      .public('de')
      .find(({ path }) => path.startsWith(folder))
      ?.path.slice(folder.length) ?? ''
  const fillings: Record<string, Record<string, string | number>> = {
    '/admin/events': { id: made.shown.id, version: 1 },
    '/admin/series': { id: made.series.id },
    '/admin/venues': { id: made.venue.id },
    '/admin/organizers': { id: made.organizer.id },
    '/admin/categories': { id: made.category.id },
    '/admin/tags': { id: made.tag.id },
    '/admin/images': { id: made.media.id },
    '/admin/campaigns': { id: made.roof.id },
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
      ...{ note: made.donor.note, letter: made.donor.letter, donation: made.donor.donation }
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
    '/en/calendar': { when: '2027-02', token: 'ksl_1234567890_x' },
    '/de/kalender': { when: '2027-02-14', token: 'ksl_1234567890_x' },
    '/en/event': { slug: made.shown.slug },
    '/de/termin': { slug: slugUnder('/de/termin/') },
    '/en/venue': { slug: made.venue.slug },
    '/de/ort': { slug: slugUnder('/de/ort/') },
    '/en/organizer': { slug: made.organizer.slug },
    '/de/veranstalter': { slug: slugUnder('/de/veranstalter/') },
    '/en/category': { slug: made.category.slug },
    '/de/kategorie': { slug: slugUnder('/de/kategorie/') },
    '/en/tag': { slug: made.tag.slug },
    '/de/schlagwort': { slug: slugUnder('/de/schlagwort/') },
    '/en/donate': { campaign: made.roof.id, token: made.given.donorToken },
    '/de/spenden': { campaign: made.roof.id, token: made.given.donorToken },
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
    '/en': { '*': 'nothing-here' },
    '/de': { '*': 'nichts/hier' },
    '/assets': { name: 'site.css' },
    '/events': { '*': 'a/b' },
    '/wp-content/uploads': { '*': '2026/05/photo.jpg' },
    '/event': { slug: made.shown.slug },
    '/venue': { slug: made.venue.slug },
    '/organizer': { slug: made.organizer.slug },
    '/tag': { slug: made.tag.slug }
  }

  /** The address with what there is, or with something else in the place of one part. */
  function fill(path: string, given: Record<string, string> = {}): string {
    const known = Object.entries(fillings).find(([prefix]) => path.startsWith(`${prefix}/`))?.[1] ?? {}
    return path.replace(/:(\w+)|\*/g, (part, name = part) => {
      const value = given[name] ?? known[name]
      if (value === undefined) throw new Error(`${path}: tell test/support/crawl/page-crawler.ts what ${name} may be.`)
      return given[name] ?? encodeURIComponent(String(value))
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

  /** Every form that some page has, by the route that takes it; and the parameters that links and forms give to a page. */
  async function crawl() {
    const found = new Map<string, HtmlForm>()
    const parameters = new Map<string, Set<string>>()
    const note = (link: string, page: string) => {
      if (!/^[/?]/.test(link)) return
      const { pathname, search } = new URL(link, `http://here.example${page}`)
      const route = routeOf(pathname, 'GET')?.path ?? ''
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
        const route = routeOf(form.action.split('?')[0] ?? '', 'POST')
        if (route !== undefined && !found.has(route.path)) found.set(route.path, form)
      }
    }
    return { forms: found, parameters }
  }

  function routeOf(path: string, by: Route['method']): Route | undefined {
    return routes
      .filter(({ method }) => method === by)
      .sort((one, other) => one.path.split(':').length - other.path.split(':').length)
      .find(route => new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`).test(path))
  }

  return { ...site, made, routes, sessions, newSession, fill, follow, cookieOf, tokenOf, ...(await crawl()) }
}

const internal =
  /\b(?:Type|Range|Reference|Syntax|Assertion|URI)Error\b|node_modules|node:internal|\[object Object\]|Invalid Date|\.tsx?:\d|\bERR_[A-Z]|>undefined<|>null<|="undefined"|="\[object|platform\.users|syntax error at/

/** Faults that no response of a page may have, whatever the request. */
export function findPageFaults({ status, headers, text }: TestResponse, { isPage = true } = {}): string[] {
  const { location, 'content-type': type = '' } = headers
  const isHtml = type.startsWith('text/html')
  return [
    ...(status >= 200 && status < 500 ? [] : [`a ${status}`]),
    ...(location !== undefined && new URL(location, 'http://here.example').host !== 'here.example'
      ? [`leads to ${location.slice(0, 80)}`]
      : []),
    ...(isPage && location === undefined && status !== 204 && status !== 304 && !isHtml ? [`is ${type}, no page`] : []),
    ...(isHtml ? findDangerousMarkup(text).map(danger => `holds ${danger}`) : []),
    ...(internal.exec(text) === null ? [] : [`says ${internal.exec(text)?.[0]}`])
  ]
}

const everybody: readonly UserRole[] = userRoles
const editors: readonly UserRole[] = ['editor', 'admin']
const readers: readonly UserRole[] = ['viewer', 'editor', 'admin']
const treasurers: readonly UserRole[] = ['treasurer', 'admin']

/** Who may what at the console, first match first. Written down a second time here: a change of rights shows. */
const rights: [route: RegExp, roles: readonly UserRole[]][] = [
  [/^POST \/admin\/account-requests\/:id\/confirm$/, treasurers],
  [/^(GET|POST) \/admin\/account-requests\b/, ['editor', 'treasurer', 'admin']],
  [/^(GET|POST) \/admin(\/(account|search|sign-out|checklist).*)?$/, everybody],
  [/^POST \/admin\/campaigns\/:id\/restore$/, ['admin']],
  [/^GET \/admin\/campaigns(\.csv|\/:id)?$/, everybody],
  [/^(GET|POST) \/admin\/campaigns\/(new|:id|:id\/delete)$/, ['editor', 'treasurer', 'admin']],
  [/^(GET|POST) \/admin\/(donations|donors|statements|collections|receipts|journal)\b/, treasurers],
  [/^GET \/admin\/(events|venues|organizers|categories|tags)(\.csv)?$/, readers],
  [
    /^(GET|POST) \/admin\/(events|series|suggestions|venues|organizers|categories|tags|images|imports|subscriptions)\b/,
    editors
  ],
  [
    /^(GET|POST) \/admin\/(users|invitations|keys|webhooks|activity|data|settings|organisation|sample-content|samples)\b/,
    ['admin']
  ]
]

export function isAllowedAt({ method, path }: Route, role: UserRole): boolean {
  const found = rights.find(([route]) => route.test(`${method} ${path}`))
  if (found === undefined)
    throw new Error(`${method} ${path}: say in test/support/crawl/page-crawler.ts who may do this.`)
  return found[1].includes(role)
}
