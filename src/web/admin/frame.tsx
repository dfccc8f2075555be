import type { Language } from '#platform/language.ts'
import { asset } from '../assets.ts'
import { pathTo } from '../paths.ts'
import type { SiteInfo } from '../site-info.ts'
import { type ConsoleWords, consoleWords } from '../text/console.ts'
import { frameWords } from '../text/frame.ts'
import type { ConsolePage, ConsoleRole, Desk } from './console.ts'
import { buildUndoForm } from './flash.ts'

interface Entry {
  name: keyof ConsoleWords['nav']
  path: string
  roles: ConsoleRole[]
}

/** What the menu offers, by whom it is for; admins see all. */
const groups: { name: keyof ConsoleWords['groups'] | undefined; entries: Entry[] }[] = [
  { name: undefined, entries: [{ name: 'dashboard', path: '/admin', roles: ['editor', 'treasurer', 'viewer'] }] },
  {
    name: 'calendar',
    entries: [
      { name: 'events', path: '/admin/events', roles: ['editor', 'viewer'] },
      { name: 'venues', path: '/admin/venues', roles: ['editor', 'viewer'] },
      { name: 'organizers', path: '/admin/organizers', roles: ['editor', 'viewer'] },
      { name: 'categories', path: '/admin/categories', roles: ['editor', 'viewer'] },
      { name: 'tags', path: '/admin/tags', roles: ['editor', 'viewer'] },
      { name: 'images', path: '/admin/images', roles: ['editor'] },
      { name: 'imports', path: '/admin/imports', roles: ['editor'] }
    ]
  },
  {
    name: 'money',
    entries: [
      { name: 'campaigns', path: '/admin/campaigns', roles: ['editor', 'treasurer', 'viewer'] },
      { name: 'donations', path: '/admin/donations', roles: ['treasurer'] },
      { name: 'statements', path: '/admin/statements', roles: ['treasurer'] },
      { name: 'collections', path: '/admin/collections', roles: ['treasurer'] },
      { name: 'receipts', path: '/admin/receipts', roles: ['treasurer'] },
      { name: 'journal', path: '/admin/journal', roles: ['treasurer'] }
    ]
  },
  {
    name: 'site',
    entries: [
      { name: 'users', path: '/admin/users', roles: [] },
      { name: 'keys', path: '/admin/keys', roles: [] },
      { name: 'webhooks', path: '/admin/webhooks', roles: [] },
      { name: 'activity', path: '/admin/activity', roles: [] },
      { name: 'data', path: '/admin/data', roles: [] },
      { name: 'settings', path: '/admin/settings', roles: [] }
    ]
  }
]

/** A page of the console; without somebody at the desk it is the way in. */
export function ConsoleFrame({
  site,
  language,
  page,
  desk
}: {
  site: SiteInfo
  language: Language
  page: ConsolePage
  desk?: Desk
}) {
  const words = consoleWords[language]
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${page.title} · ${words.console} · ${site.name}`}</title>
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <link rel="stylesheet" href={asset('admin.css')} />
        {site.accent === null ? null : <link rel="stylesheet" href={`/theme.css?accent=${site.accent.slice(1)}`} />}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {(page.islands ?? []).map(name => (
          <script key={name} type="module" src={asset(`${name}.js`)} />
        ))}
      </head>
      <body class={desk === undefined ? 'console-door' : 'console'}>
        <a class="skip" href="#content">
          {frameWords[language].skip}
        </a>
        {desk === undefined ? null : <Side desk={desk} menu={page.menu} />}
        <main id="content" tabIndex={-1}>
          {desk === undefined ? <p class="console-site">{site.name}</p> : null}
          {desk?.notice === undefined ? null : <NoticeBar desk={desk} />}
          <div class="console-head">
            <h1>{page.title}</h1>
            {page.actions === undefined ? null : <div class="actions">{page.actions}</div>}
          </div>
          {page.body}
        </main>
      </body>
    </html>
  )
}

/** Longer names are set smaller: the side is narrow. */
const shortNameMax = 28

function Side({ desk, menu }: { desk: Desk; menu: string | undefined }) {
  const words = consoleWords[desk.language]
  const shown = groups
    .map(group => ({ ...group, entries: group.entries.filter(entry => desk.may(...entry.roles)) }))
    .filter(group => group.entries.length > 0)
  return (
    <header class="side">
      <div class="side-top">
        <a class={desk.site.name.length > shortNameMax ? 'side-name long' : 'side-name'} href="/admin">
          {desk.site.name}
        </a>
        <a class="side-view" href={pathTo('home', desk.language)}>
          {words.viewSite}
        </a>
      </div>
      <form class="side-search" action="/admin/search" method="get">
        <label class="visually-hidden" for="console-search">
          {words.search}
        </label>
        <input
          id="console-search"
          type="search"
          name="q"
          placeholder={words.search}
          maxLength={200}
          value={desk.path === '/admin/search' ? (desk.query.q ?? '') : ''}
        />
      </form>
      {/* On narrow screens a sheet that the button opens, by the browser alone; elsewhere it is always there. */}
      <button type="button" class="side-open small quiet" popovertarget="console-menu">
        {words.openMenu}
      </button>
      <div id="console-menu" class="side-sheet" popover="auto">
        <button type="button" class="side-close small quiet" popovertarget="console-menu" popovertargetaction="hide">
          {words.closeMenu}
        </button>
        <nav aria-label={words.menu} class="side-menu">
          {shown.map(({ name, entries }) => (
            <div key={name ?? 'top'} class="side-group">
              {name === undefined ? null : <p class="side-title">{words.groups[name]}</p>}
              <ul>
                {entries.map(entry => (
                  <li key={entry.path}>
                    <a href={entry.path} {...(menu === entry.path ? { 'aria-current': 'page' as const } : {})}>
                      {words.nav[entry.name]}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
        <div class="side-user">
          <p>
            <span class="visually-hidden">{words.signedInAs} </span>
            <a href="/admin/account">{desk.user.name}</a>
            <span class="faded"> {words.roles[desk.user.role]}</span>
          </p>
          <form method="post" action="/admin/sign-out">
            <input type="hidden" name="_token" value={desk.formToken} />
            <button type="submit" class="link">
              {words.signOut}
            </button>
          </form>
        </div>
      </div>
    </header>
  )
}

function NoticeBar({ desk }: { desk: Desk }) {
  const { notice } = desk
  if (notice === undefined) return null
  const undo = notice.undo && buildUndoForm(notice.undo)
  return (
    <div class={`notice ${notice.tone ?? 'good'} console-notice`} role="status">
      <p>{notice.text}</p>
      {undo === undefined ? null : (
        <form method="post" action={undo.action}>
          <input type="hidden" name="_token" value={desk.formToken} />
          {Object.entries(undo.fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <button type="submit" class="small quiet">
            {consoleWords[desk.language].undo}
          </button>
        </form>
      )}
    </div>
  )
}
