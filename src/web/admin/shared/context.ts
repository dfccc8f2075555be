import { createHmac } from 'node:crypto'
import type { ComponentChildren } from 'preact'
import type { Language } from '#platform/language.ts'
import type { Page, Redirect } from '../../page/page.ts'
import type { PageContext } from '../../server/context.ts'
import type { Flash } from './flash.ts'
import type { MenuCounts } from './menu-counts.ts'
import type { NewSession } from './new-session.ts'

/** The signed-in user, as the API returns it. */
export interface CurrentUser {
  id: number
  name: string
  email: string
  role: AdminRole
  language: Language
}

export type AdminRole = 'admin' | 'editor' | 'treasurer' | 'viewer'

/** Context of a request by a signed-in user. */
export interface AdminContext extends PageContext {
  user: CurrentUser
  /** CSRF token: goes into every form of the console as `_token`. */
  formToken: string
  flashMessage: Flash | undefined
  /** Shows a message on the next page, with an undo button if there is one. */
  flash(notice: Flash): void
  hasRole(...anyOf: AdminRole[]): boolean
  /** Numbers of what waits, beside menu entries. */
  menuCounts: MenuCounts
}

export interface AdminPage {
  title: string
  /** Path of the page's menu entry. */
  menu?: string | undefined
  scripts?: string[] | undefined
  status?: number | undefined
  /** Where browsers without scripts go by themselves. */
  refresh?: { seconds: number; path: string } | undefined
  /** Beside the title: usually the button that creates something. */
  actions?: ComponentChildren
  body: ComponentChildren
}

/** A file to download, or any other response that is not a page. */
export interface Download {
  text: string | Buffer | NodeJS.ReadableStream
  type: string
  fileName: string
  /** Served inline instead of as an attachment. */
  isShown?: boolean
  /** Size, if it is known, so that browsers show the progress. */
  bytes?: number
}

/** A page in the public site's layout, for previews. */
export interface SitePage {
  sitePage: Page
  language: Language
}

export type AdminHandler = (context: AdminContext) => Promise<AdminPage | Redirect | Download | SitePage>

export interface AdminRouter {
  /** Registers a page for these roles; admins see every page. */
  get(path: string, roles: readonly AdminRole[], handler: AdminHandler): void
  /** Registers the handler of a form. */
  post(path: string, roles: readonly AdminRole[], handler: AdminHandler, bodyBytesMax?: number): void
  /** Registers a page that needs no session, such as sign-in. */
  public(path: string, show: PublicHandler, take: PublicHandler, uploads?: PublicUploads): void
}

/** For a form that is larger than those of visitors, once the request has proved that it may be. */
export interface PublicUploads {
  bodyBytesMax: number
  /** Runs before the body is read. */
  mayUpload(context: PageContext): Promise<boolean>
}

export type PublicHandler = (context: PageContext, signIn: SignInContext) => Promise<AdminPage | Redirect>

export interface SignInContext {
  /** Sets the cookies of a new session. */
  startSession(session: NewSession): void
  /** Device token of the last sign-in with this browser. */
  deviceToken: string | undefined
}

export const sessionCookie = 'kalends_session'

/** HMAC of the session token: needs no storage, and cannot be forged without the session. */
export function createFormToken(session: string): string {
  return createHmac('sha256', session).update('forms of the console').digest('hex').slice(0, 32)
}
