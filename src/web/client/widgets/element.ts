import { getStyleSheet } from './styles.ts'

export type Language = 'en' | 'de'

/** Context of a widget's render function. */
export interface WidgetContext {
  /** The attribute's value, or an empty string. */
  getAttribute(name: string): string
  /** True if present and not `false`. */
  hasAttribute(name: string): boolean
  get<Body>(path: string, query?: Record<string, string>): Promise<Body>
  site: Promise<Site>
  /** Origin of the site. */
  base: string
  language: Language
}

export interface Site {
  name: string
  timezone: string
  languages: Language[]
  defaultLanguage: Language
}

/** All attributes that any of our elements observes. */
const attributes = [
  'base',
  'view',
  'max',
  'categories',
  'tags',
  'venue',
  'organizer',
  'featured',
  'search',
  'language',
  'campaign',
  'level'
]

const waitMs = 15_000
const sites = new Map<string, Promise<Site>>()

/**
 * Defines an element that fetches from the site and renders into its shadow root. Until then, and on errors, its own
 * content stays visible.
 */
export function defineElement(name: string, home: string, show: (showing: WidgetContext) => Promise<Node[]>): void {
  if (customElements.get(name) !== undefined) return
  customElements.define(
    name,
    class extends HTMLElement {
      static observedAttributes = attributes
      #shadow = this.attachShadow({ mode: 'open' })
      #turn = 0
      #isDue = false

      constructor() {
        super()
        this.#shadow.adoptedStyleSheets = [getStyleSheet()]
        this.#shadow.append(createElement('slot'))
      }

      connectedCallback(): void {
        this.#changed()
      }

      attributeChangedCallback(): void {
        if (this.isConnected) this.#changed()
      }

      /** Batches attribute changes into one update. */
      #changed(): void {
        if (this.#isDue) return
        this.#isDue = true
        queueMicrotask(() => {
          this.#isDue = false
          void this.#update()
        })
      }

      async #update(): Promise<void> {
        this.#turn += 1
        const turn = this.#turn
        let [shown, event] = [[createElement('slot') as Node], new CustomEvent('kalends-load', { bubbles: true })]
        try {
          shown = await show(newWidgetContext(this, home))
        } catch (error) {
          event = new CustomEvent('kalends-error', { bubbles: true, detail: error })
          console.warn(`<${name}>`, error)
        }
        // An attribute has changed in the meantime: a later update replaces this one.
        if (turn !== this.#turn) return
        this.#shadow.replaceChildren(...shown)
        this.dispatchEvent(event)
      }
    }
  )
}

function newWidgetContext(host: HTMLElement, home: string): WidgetContext {
  const given = (name: string) => host.getAttribute(name)?.trim() ?? ''
  const isGiven = (name: string) => host.hasAttribute(name) && given(name) !== 'false'
  const base = given('base') === '' ? home : new URL(given('base'), location.href).origin
  const spoken = given('language') || host.closest<HTMLElement>('[lang]')?.lang || ''
  const language = /^de\b/i.test(spoken) ? 'de' : 'en'

  async function ask<Body>(path: string, query: Record<string, string> = {}): Promise<Body> {
    const said = Object.entries(query).filter(([, value]) => value !== '')
    const answer = await fetch(`${base}${path}?${new URLSearchParams(said)}`, {
      credentials: 'omit',
      signal: AbortSignal.timeout(waitMs)
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    return (await answer.json()) as Body
  }

  let site = sites.get(base)
  if (site === undefined) {
    site = ask<Site>('/site')
    sites.set(base, site)
    site.catch(() => sites.delete(base))
  }
  return { getAttribute: given, hasAttribute: isGiven, get: ask, site, base, language }
}

/** The requested language if the site has it, else the site's default. */
export function chooseLanguage({ languages, defaultLanguage }: Site, language: Language): Language {
  return languages.includes(language) ? language : defaultLanguage
}

/** Creates an element with its part and children; strings become text nodes. */
export function createElement(name: string, part = '', ...inside: (Node | string)[]): HTMLElement {
  const made = document.createElement(name)
  if (part !== '') made.setAttribute('part', part)
  made.append(...inside)
  return made
}

export function createLink(href: string, part: string, text: string): HTMLAnchorElement {
  const made = createElement('a', part, text) as HTMLAnchorElement
  made.href = href
  return made
}

/** Heading of the level that the page asks for. */
export function createHeading({ getAttribute }: WidgetContext, ...inside: Node[]): HTMLElement {
  const level = /^[1-6]$/.test(getAttribute('level')) ? getAttribute('level') : '3'
  return createElement(`h${level}`, 'title', ...inside)
}

export const getLocale = (language: Language) => (language === 'de' ? 'de-DE' : 'en-GB')
