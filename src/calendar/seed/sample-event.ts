import type { Language } from '#platform/language.ts'
import type { Cost } from '../content/cost.ts'
import type { EventChanges } from '../events/schema.ts'
import type { pictures } from './pictures.ts'
import type { categories, organizers, tags, venues } from './places.ts'

/** A sample event, before its texts are assembled and its dates computed. */
export interface SampleEvent {
  /** If one language is missing, the event lacks a translation. */
  en?: SampleText
  de?: SampleText
  when: SampleDates
  venue?: keyof typeof venues
  organizer: keyof typeof organizers
  categories: (keyof typeof categories)[]
  tags?: (keyof typeof tags)[]
  picture?: keyof typeof pictures
  /** Visitor information for this kind of event. */
  about?: keyof typeof visitorInfo
  more?: EventChanges
}

export type SampleText = [title: string, description: string]

/** A weekday some weeks before or after this week, or the days around the end of this month. */
export type SampleDates =
  | { week: number; day: Weekday; from: string; to: string; days?: number }
  | { week: number; day: Weekday; days: number }
  | 'end of month'

export type Weekday = (typeof weekdays)[number]
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

export const freeCost: Cost = { values: ['0'], symbol: '', position: '', words: '' }
export const newEuroCost = (...prices: number[]): Cost => ({
  values: prices.map(String),
  symbol: '€',
  position: 'prefix',
  words: ''
})

const buildLink = (path: string, words: string) => `<a href="https://ulmenfurt.example/${path}">${words}</a>`

/** A list and a link, as editors write them. */
export const visitorInfo = {
  concert: {
    en: `<h3>Good to know</h3><ul><li>Doors open half an hour before.</li><li>The hall is step-free, with places for wheelchairs in the first row.</li><li>There is a bar in the interval.</li></ul><p>Directions by bus and bicycle are on ${buildLink('getting-here', 'our page for visitors')}.</p>`,
    de: `<h3>Gut zu wissen</h3><ul><li>Einlass ist eine halbe Stunde vorher.</li><li>Der Saal ist stufenlos erreichbar, mit Plätzen für Rollstühle in der ersten Reihe.</li><li>In der Pause gibt es Getränke.</li></ul><p>Die Anreise mit Bus und Fahrrad beschreiben wir auf ${buildLink('anreise', 'unserer Seite für Gäste')}.</p>`
  },
  course: {
    en: `<p>You need no experience and nothing of your own.</p><ul><li>Material is included.</li><li>At most twelve people, so that everyone gets a turn.</li><li>Tea is on the house.</li></ul><p>Please ${buildLink('courses', 'tell us that you are coming')}.</p>`,
    de: `<p>Vorkenntnisse braucht es keine, und mitbringen muss man nichts.</p><ul><li>Das Material ist dabei.</li><li>Höchstens zwölf Personen, damit alle drankommen.</li><li>Der Tee geht aufs Haus.</li></ul><p>Bitte ${buildLink('kurse', 'kurz anmelden')}.</p>`
  },
  outdoors: {
    en: `<p>We go in any weather but thunder.</p><ul><li>Boots, not shoes.</li><li>Children come with a grown-up.</li><li>Dogs stay on the lead: birds are nesting.</li></ul><p>The path is on ${buildLink('map', 'the map of the meadows')}.</p>`,
    de: `<p>Wir gehen bei jedem Wetter, nur nicht bei Gewitter.</p><ul><li>Stiefel statt Schuhe.</li><li>Kinder kommen mit Begleitung.</li><li>Hunde bleiben an der Leine: Hier wird gebrütet.</li></ul><p>Der Weg ist auf ${buildLink('karte', 'der Karte der Wiesen')}.</p>`
  },
  market: {
    en: `<p>Come early for the bread, late for the bargains.</p><ul><li>Stalls open at nine.</li><li>Bring a bag, and a cup for the cider.</li><li>Cars stay outside the town wall.</li></ul><p>Want a stall? ${buildLink('stalls', 'Here is how')}.</p>`,
    de: `<p>Wer Brot will, kommt früh; wer Schnäppchen will, kommt spät.</p><ul><li>Die Stände öffnen um neun.</li><li>Bitte eine Tasche mitbringen, und einen Becher für den Most.</li><li>Autos bleiben vor der Stadtmauer.</li></ul><p>Lust auf einen eigenen Stand? ${buildLink('staende', 'So geht es')}.</p>`
  }
} satisfies Record<string, Record<Language, string>>
