import type { Settings } from '#platform/config.ts'
import type { Language } from '#platform/language.ts'
import type { LocalDateTime } from '../../time/time.ts'
import type { Reason } from './reason.ts'

/** Import sources: a site with The Events Calendar's API, an iCalendar file or URL, a CSV file. */
export const sourceNames = ['tec', 'ical', 'csv'] as const
export type SourceName = (typeof sourceNames)[number]

/** In import order: referenced kinds come before the kinds that reference them. */
export const singleKinds = ['venue', 'organizer', 'category', 'tag', 'event'] as const
export type SingleKind = (typeof singleKinds)[number]
/** A series is an item with several events. */
export const itemKinds = [...singleKinds, 'series'] as const
export type ItemKind = (typeof itemKinds)[number]

/**
 * Opens a source: fetches what is needed to identify it. Throws a Problem if the source as a whole cannot be read (no
 * calendar at the URL, not a CSV file, a mapping without a title): the import fails with its message.
 */
export type OpenSource = (request: ImportRequest, tools: SourceContext) => Promise<Source>

/** What the caller asked for. */
export interface ImportRequest {
  url: string | null
  file: Buffer | null
  fileName: string | null
  /** The language of texts that do not declare one. */
  language: Language
  /** The zone of times that do not declare one. */
  timezone: string
  /** CSV: the field of each column, `{ Titel: 'title' }`; null until it is set. */
  mapping: Record<string, string> | null
  /** A user of the site and their application password, to read what is not public. */
  login: SourceLogin | null
}

export interface SourceLogin {
  user: string
  password: string
}

/** What sources get from the runner. */
export interface SourceContext {
  settings: Settings
  /** The time the import began: relative limits, such as "12 months ahead", start here. */
  now: Date
  /** The import was cancelled or stopped: downloads and pauses should end. */
  signal: AbortSignal
  /**
   * How earlier imports from this origin brought recurring entries, by sourceId. Without it, the source has single
   * events in place of series.
   */
  findRecurring?(origin: string, sourceIds: string[]): Promise<RecurringItems>
}

/** SourceIds of recurring entries that are here as a series, or as single events. */
export interface RecurringItems {
  series: Set<string>
  single: Set<string>
}

export interface Source {
  /**
   * Namespace of the source's ids: an item in a later import has the same origin, kind and sourceId and is recognised
   * by these three. Excludes what changes between two imports; at most 500 characters.
   */
  origin: string
  /**
   * The calendar or table that the items are in, if it is all of them: events of an earlier import from the same place
   * that are missing now are reported as gone.
   */
  place?: string
  /** The source returned only what everybody may see: other events of earlier imports may still be there. */
  isPublicOnly?: boolean
  /** False if the file was cut off or could not be read as a whole. Known after the last batch. */
  isComplete?(): boolean
  /** The name that the calendar has at its source. */
  name?: string
  /** How often the source wants to be read at most. */
  refreshMinutes?: number
  /** An estimate of the number of items, if known at the start. */
  total?: number
  /** CSV: the columns of the table, so that an editor can map them. */
  columns?: string[]
  /** CSV: the field of each column, from the request or guessed from its name; empty for ignored columns. */
  mapping?: Record<string, string>
  /**
   * All items, in batches of at most about a hundred, written one after the other. Referenced items come before the
   * items that reference them: venues before events, a category before its children. A generator that downloads should
   * prefetch by itself. After a crash the import starts again; items that are already done are recognised by kind and
   * sourceId and skipped.
   */
  batches(): AsyncIterable<Incoming[]>
}

/** An item of a source before validation: an invalid value is rejected with the message of the API's own rule. */
export interface Incoming {
  kind: ItemKind
  /** Stable, at most 500 characters. Of several items with the same id in one import the first counts. */
  sourceId: string
  /** The UID of an event in the calendar feeds of the source: a new event keeps it in ours. */
  uid?: string
  /** At least one. */
  texts: Partial<Record<Language, IncomingText>>
  /**
   * Fields that are the same in all languages, named as in the API's request bodies: `start_date`, `end_date`,
   * `timezone`, `all_day`, `cost`, `website`, `status`, `address`, `geo_lat`, `parent` … On update, a missing field
   * stays as it is, and null clears it. References use the sourceId of items in the same source: `venue`, `organizer`,
   * `categories`, `tags` (lists of sourceIds), `parent` of a category and `post_parent` of an event (one sourceId). A
   * reference to an item that did not come is dropped and reported.
   */
  fields: Record<string, unknown>
  /** The http URL of its image. Downloaded only in a real run; a failed download does not stop the import. */
  image?: IncomingImage
  /**
   * Images of the source's site that its description shows or links to, with the URL that it has there. They are copied
   * in a real run, and the description gets their new URLs; one that cannot be copied keeps its URL.
   */
  inlineImages?: IncomingImage[]
  /** Files of the source's site that its description links to: copied like its images. */
  files?: IncomingFile[]
  /** Why it cannot be imported. If there are any, the report lists it as a problem, and nothing is written. */
  problems: Reason[]
  /** Why it is left out on purpose, such as a private event: the report lists it as skipped; nothing is written. */
  skipped?: Reason[]
  /** Further notes for the report: "without its end, so one hour". The item is imported. */
  notes?: Reason[]
  /** Its page at the source. */
  url?: string
  /** What the source returned for it in each language, to compare it with what is stored here. */
  originals?: Partial<Record<Language, Record<string, unknown>>>
  /** When a series repeats. Its fields have the times of its first date. */
  series?: IncomingSeries
}

export interface IncomingSeries {
  /** The value of an RRULE. */
  rule: string
  /** Further dates (RDATE) and excluded ones (EXDATE). */
  also: LocalDateTime[]
  except: LocalDateTime[]
  /** Events that differ from the series, by their date according to the rule. */
  changes: (Pick<Incoming, 'texts' | 'fields' | 'image'> & { date: LocalDateTime })[]
  /** Earlier dates do not become events. Depends on the day of the import. */
  from: LocalDateTime
}

export interface IncomingFile {
  url: string
}

export interface IncomingImage {
  url: string
  alt?: string
}

/** The texts of one language, as the API accepts them. */
export interface IncomingText {
  /** For a venue, an organizer or a term this is the name. Writing removes tags and HTML entities. */
  title: string
  /** HTML; sanitized on write. */
  description?: string
  excerpt?: string
  slug?: string
}
