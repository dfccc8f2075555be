import type { Settings } from '#platform/config.ts'
import type { Language, Text } from '#platform/language.ts'

/** Where content comes from: another site with The Events Calendar's API, an iCalendar file or address, a table. */
export const sourceNames = ['tec', 'ical', 'csv'] as const
export type SourceName = (typeof sourceNames)[number]

/** In the order in which they must come: what is named comes before what names it. */
export const itemKinds = ['venue', 'organizer', 'category', 'tag', 'event'] as const
export type ItemKind = (typeof itemKinds)[number]

/**
 * Opens a source: fetches what must be fetched to know what it is. It throws a Problem where the whole of it cannot be
 * read (no calendar at the address, not a CSV file, a mapping without a title): the import fails with its words.
 */
export type OpenSource = (wish: ImportRequest, tools: SourceContext) => Promise<Source>

/** What somebody asked for. */
export interface ImportRequest {
  url: string | null
  file: Buffer | null
  fileName: string | null
  /** The language of texts that do not say theirs. */
  language: Language
  /** The zone of times that do not say theirs. */
  timezone: string
  /** CSV: which column is which field, `{ Titel: 'title' }`; null while nobody has said. */
  mapping: Record<string, string> | null
}

/** What sources need of the program. */
export interface SourceContext {
  settings: Settings
  /** The time the import began: what is relative, such as "12 months ahead", counts from here. */
  now: Date
  /** Nobody waits for the rest any more: fetches and pauses should end. */
  signal: AbortSignal
}

export interface Source {
  /**
   * Where ids of the source are at home: the same thing in a later import has the same origin, kind and sourceId, and is
   * recognised by these three. Without what changes between two imports, at most 500 characters.
   */
  origin: string
  /** How many things there will be, where that is known at the start. It may be wrong. */
  total?: number
  /** CSV: the columns of the table, so that somebody can say what they mean. */
  columns?: string[]
  /** CSV: the field that each column was taken for, by the wish or by its name; empty for those that are left out. */
  mapping?: Record<string, string>
  /**
   * Everything, in lists of at most about a hundred, written one after the other. What is named comes before what names it:
   * venues before events, a category before those below it. A generator should read ahead by itself where it fetches.
   * After a crash an import begins anew; what it has done is recognised by kind and sourceId and passed over.
   */
  batches(): AsyncIterable<Incoming[]>
}

/** One thing of a source, before any rule has looked at it: a value that does not fit is refused with the rule's own words. */
export interface Incoming {
  kind: ItemKind
  /** Stable, at most 500 characters. Of several with the same one in one import the first counts. */
  sourceId: string
  /** At least one. */
  texts: Partial<Record<Language, IncomingText>>
  /**
   * Everything that is the same in all languages, in the words of the bodies that the API takes: `start_date`, `end_date`,
   * `timezone`, `all_day`, `cost`, `website`, `status`, `address`, `geo_lat`, `parent` … What is not there stays as it is
   * at an update, and null empties it.
   * What names other things names them by their sourceId in the same source: `venue`, `organizer`, `categories`, `tags`
   * (lists of sourceIds), `parent` of a category and `post_parent` of an event (one sourceId). One that did not
   * come is left out, and the report says so.
   */
  fields: Record<string, unknown>
  /** The http address of its image. It is fetched when the import really runs; one that cannot be had does not stop the rest. */
  image?: { url: string; alt?: string }
  /** Why it cannot be imported. With any of these it stands in the report as a problem, and nothing is written. */
  problems: Text[]
  /** Why it is left out on purpose, such as a private event: it stands in the report as skipped, and nothing is written. */
  skipped?: Text[]
  /** What whoever reads the report should know of it otherwise: "without its end, so one hour". It is imported. */
  notes?: Text[]
}

/** The texts of one language, as the API takes them. */
export interface IncomingText {
  /** Of a venue, an organizer or a term this is the name. Tags and HTML entities are taken out where it is written. */
  title: string
  /** HTML; it is cleaned where it is written. */
  description?: string
  excerpt?: string
  slug?: string
}
