import type { Language } from '#platform/language.ts'
import { getMessages, type Messages } from '#platform/messages/messages.ts'
import { BrandLinks } from '../../page/brand-links.tsx'
import { getAssetPath } from '../../server/assets.ts'
import { getPath } from '../../server/paths.ts'
import type { SiteSettings } from '../../server/site-settings.ts'
import type { AdminContext, AdminPage, AdminRole } from './context.ts'
import { buildUndoForm } from './flash.ts'

interface MenuEntry {
  name: keyof Messages<'admin'>['nav']
  path: string
  roles: AdminRole[]
  /** Admins reach the page in another way. */
  isHiddenFromAdmins?: boolean
}

type GroupName = keyof Messages<'admin'>['groups']

/** Menu entries and the roles that see them; admins see all. */
const groups: { name: GroupName | undefined; entries: MenuEntry[] }[] = [
  { name: undefined, entries: [{ name: 'dashboard', path: '/admin', roles: ['editor', 'treasurer', 'viewer'] }] },
  {
    name: 'calendar',
    entries: [
      { name: 'events', path: '/admin/events', roles: ['editor', 'viewer'] },
      { name: 'suggestions', path: '/admin/suggestions', roles: ['editor'] },
      { name: 'venues', path: '/admin/venues', roles: ['editor', 'viewer'] },
      { name: 'organizers', path: '/admin/organizers', roles: ['editor', 'viewer'] }
    ]
  },
  {
    name: 'calendarMore',
    entries: [
      { name: 'categories', path: '/admin/categories', roles: ['editor', 'viewer'] },
      { name: 'tags', path: '/admin/tags', roles: ['editor', 'viewer'] },
      { name: 'images', path: '/admin/images', roles: ['editor'] },
      { name: 'imports', path: '/admin/imports', roles: ['editor'] },
      { name: 'subscriptions', path: '/admin/subscriptions', roles: ['editor'] }
    ]
  },
  {
    name: 'money',
    entries: [
      { name: 'campaigns', path: '/admin/campaigns', roles: ['editor', 'treasurer', 'viewer'] },
      { name: 'donations', path: '/admin/donations', roles: ['treasurer'] },
      { name: 'donors', path: '/admin/donors', roles: ['treasurer'] },
      { name: 'statements', path: '/admin/statements', roles: ['treasurer'] },
      { name: 'collections', path: '/admin/collections', roles: ['treasurer'] },
      { name: 'receipts', path: '/admin/receipts', roles: ['treasurer'] },
      { name: 'journal', path: '/admin/journal', roles: ['treasurer'] },
      { name: 'organisation', path: '/admin/organisation', roles: ['treasurer'], isHiddenFromAdmins: true }
    ]
  },
  {
    name: 'site',
    entries: [
      { name: 'pages', path: '/admin/pages', roles: ['editor', 'viewer'] },
      { name: 'appearance', path: '/admin/appearance', roles: ['editor'] },
      { name: 'users', path: '/admin/users', roles: [] },
      { name: 'keys', path: '/admin/keys', roles: [] },
      { name: 'webhooks', path: '/admin/webhooks', roles: [] },
      { name: 'activity', path: '/admin/activity', roles: [] },
      { name: 'data', path: '/admin/data', roles: [] },
      { name: 'settings', path: '/admin/settings', roles: [] }
    ]
  }
]

/** Layout of a console page; without a context, of the sign-in pages. */
export function AdminLayout({
  site,
  language,
  page,
  context
}: {
  site: SiteSettings
  language: Language
  page: AdminPage
  context?: AdminContext
}) {
  const strings = getMessages('admin', language)
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${page.title} · ${strings.console} · ${site.name}`}</title>
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        {page.refresh === undefined ? null : (
          <noscript>
            <meta http-equiv="refresh" content={`${page.refresh.seconds};url=${page.refresh.path}`} />
          </noscript>
        )}
        <link rel="stylesheet" href={getAssetPath('admin.css')} />
        <BrandLinks site={site} />
        {['draft', ...(page.scripts ?? [])].map(name => (
          <script key={name} type="module" src={getAssetPath(`${name}.js`)} />
        ))}
      </head>
      <body
        class={context === undefined ? 'console-sign-in' : 'console'}
        data-user={context?.user.id}
        data-draft-strings={context === undefined ? undefined : JSON.stringify(strings.draft)}
      >
        <a class="skip" href="#content">
          {getMessages('layout', language).skip}
        </a>
        {context === undefined ? null : <Sidebar context={context} menu={page.menu} />}
        <main id="content" tabIndex={-1}>
          {context === undefined ? <p class="console-site">{site.name}</p> : null}
          {context?.flashMessage === undefined ? null : <FlashMessage context={context} />}
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

/** Longer names get a smaller font: the sidebar is narrow. */
const shortNameMax = 28

function Sidebar({ context, menu }: { context: AdminContext; menu: string | undefined }) {
  const strings = getMessages('admin', context.language)
  const isAdmin = context.user.role === 'admin'
  const shown = groups
    .map(({ name, entries }) => {
      const seen = entries.filter(one => context.hasRole(...one.roles) && !(isAdmin && one.isHiddenFromAdmins === true))
      return { name, entries: seen, isCurrent: seen.some(({ path }) => path === menu) }
    })
    .filter(group => group.entries.length > 0)
  const current = shown.find(group => group.isCurrent)?.name
  return (
    <header class="side">
      <div class="side-top">
        <a class={context.site.name.length > shortNameMax ? 'side-name long' : 'side-name'} href="/admin">
          {context.site.name}
        </a>
        <a class="side-view" href={getPath('home', context.language)}>
          {strings.viewSite}
        </a>
      </div>
      <form class="side-search" action="/admin/search" method="get">
        <label class="visually-hidden" for="console-search">
          {strings.search}
        </label>
        <input
          id="console-search"
          type="search"
          name="q"
          placeholder={strings.search}
          maxLength={200}
          value={context.path === '/admin/search' ? (context.query.q ?? '') : ''}
        />
      </form>
      {/* On narrow screens a popover, without script; always visible elsewhere. */}
      <button type="button" class="side-open small quiet" popovertarget="console-menu">
        {strings.openMenu}
      </button>
      <div id="console-menu" class="side-sheet" popover="auto">
        <button type="button" class="side-close small quiet" popovertarget="console-menu" popovertargetaction="hide">
          {strings.closeMenu}
        </button>
        <nav aria-label={strings.menu} class="side-menu">
          {shown.map(({ name, entries }) =>
            name === undefined ? (
              <MenuEntries key="top" context={context} entries={entries} menu={menu} />
            ) : (
              <details key={name} class="side-group" open={openGroups[current ?? 'none'].includes(name)}>
                <summary class="side-title">{strings.groups[name]}</summary>
                <MenuEntries context={context} entries={entries} menu={menu} />
              </details>
            )
          )}
        </nav>
        <div class="side-user">
          <p>
            <span class="visually-hidden">{strings.signedInAs} </span>
            <a href="/admin/account">{context.user.name}</a>
            <span class="muted"> {strings.roles[context.user.role]}</span>
          </p>
          <form method="post" action="/admin/sign-out">
            <input type="hidden" name="_token" value={context.formToken} />
            <button type="submit" class="link">
              {strings.signOut}
            </button>
          </form>
        </div>
      </div>
    </header>
  )
}

/** The groups that are open, by that of the current page: so many that the menu fits on a screen of 800 pixels. */
const openGroups: Record<GroupName | 'none', GroupName[]> = {
  none: ['calendar', 'money'],
  calendar: ['calendar', 'money'],
  calendarMore: ['calendar', 'calendarMore'],
  money: ['calendar', 'money'],
  site: ['site']
}

function MenuEntries({
  context,
  entries,
  menu
}: {
  context: AdminContext
  entries: MenuEntry[]
  menu: string | undefined
}) {
  const strings = getMessages('admin', context.language)
  return (
    <ul>
      {entries.map(({ name, path }) => (
        <li key={path}>
          <a href={path} {...(menu === path ? { 'aria-current': 'page' as const } : {})}>
            {strings.nav[name]}
            <MenuCount count={context.menuCounts[path] ?? 0} label={strings.waiting} />
          </a>
        </li>
      ))}
    </ul>
  )
}

function MenuCount({ count, label }: { count: number; label: string }) {
  return count === 0 ? null : (
    <span class="side-count">
      {count}
      <span class="visually-hidden"> {label}</span>
    </span>
  )
}

function FlashMessage({ context }: { context: AdminContext }) {
  const { flashMessage } = context
  if (flashMessage === undefined) return null
  const undo = flashMessage.undo && buildUndoForm(flashMessage.undo)
  return (
    <div class={`notice ${flashMessage.tone ?? 'good'} console-notice`} role="status">
      <p>{flashMessage.text}</p>
      {undo === undefined ? null : (
        <form method="post" action={undo.action}>
          <input type="hidden" name="_token" value={context.formToken} />
          {Object.entries(undo.fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <button type="submit" class="small quiet">
            {getMessages('admin', context.language).undo}
          </button>
        </form>
      )}
    </div>
  )
}
