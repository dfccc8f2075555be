import type { Language } from '#platform/language.ts'
import { getMessages, type Messages } from '#platform/messages/messages.ts'
import type { ApplyScope } from '../series/apply-choice.tsx'
import type { RepeatInput } from '../series/repeat-input.ts'
import type { FieldGroups, FieldInput, TextKey } from '../shared/forms/field-definition.ts'

type EventFormStrings = Messages<'event-admin'>['editor'] &
  Pick<Messages<'calendar-admin'>, 'address' | 'zip' | 'city' | 'country' | 'email' | 'phone'>

export function getEventStrings(language: Language): EventFormStrings {
  return { ...getMessages('calendar-admin', language), ...getMessages('event-admin', language).editor }
}

/** The fields of the event editor, by its parts. Lists of venues, organizers and terms are beside them. */
export const eventFields = {
  text: [
    { name: 'title', label: 'title', isTranslated: true, required: true, maxLength: 500 },
    { name: 'description', kind: 'html', label: 'description', isTranslated: true, maxLength: 400_000, rows: 12 },
    {
      name: 'excerpt',
      kind: 'paragraphs',
      label: 'excerpt',
      hint: 'excerptHint',
      isTranslated: true,
      maxLength: 20_000
    },
    { name: 'slug', kind: 'slug', label: 'slug', hint: 'slugHint', isTranslated: true, maxLength: 400 }
  ],
  when: [
    [
      { name: 'start_date', kind: 'date', label: 'startDate', required: true },
      { name: 'start_time', kind: 'time', path: null, label: 'startTime', initial: '19:00' }
    ],
    [
      { name: 'end_date', kind: 'date', label: 'endDate', hint: 'endDateHint' },
      { name: 'end_time', kind: 'time', path: null, label: 'endTime', initial: '21:00' }
    ],
    { name: 'all_day', kind: 'checkbox', label: 'allDay' },
    { name: 'timezone', label: 'timezone', list: 'timezones', spellcheck: false }
  ],
  venue: [
    { name: 'venue', kind: 'select', label: 'venue' },
    { name: 'is_virtual', kind: 'checkbox', label: 'online', hint: 'onlineHint' }
  ],
  /** A venue that is created with the event: its fields, with the prefix `new_venue_`. */
  newVenue: [
    [
      { name: 'new_venue_venue', path: null, label: 'name', maxLength: 500 },
      { name: 'new_venue_address', path: null, label: 'address', maxLength: 500 },
      { name: 'new_venue_zip', path: null, label: 'zip', maxLength: 500 },
      { name: 'new_venue_city', path: null, label: 'city', maxLength: 500 },
      { name: 'new_venue_country', path: null, label: 'country', maxLength: 500 },
      { name: 'new_venue_website', path: null, label: 'website', maxLength: 500 }
    ]
  ],
  newOrganizer: [
    [
      { name: 'new_organizer_organizer', path: null, label: 'name', maxLength: 500 },
      { name: 'new_organizer_email', path: null, label: 'email', maxLength: 500 },
      { name: 'new_organizer_phone', path: null, label: 'phone', maxLength: 500 },
      { name: 'new_organizer_website', path: null, label: 'website', maxLength: 500 }
    ]
  ],
  newCategories: [
    { name: 'new_categories', path: null, label: 'newCategories', hint: 'newTermsHint', maxLength: 1000 }
  ],
  newTags: [{ name: 'new_tags', path: null, label: 'newTags', hint: 'newTermsHint', maxLength: 1000 }],
  more: [
    [
      { name: 'cost', label: 'cost', hint: 'costHint', maxLength: 200 },
      { name: 'website', kind: 'url', label: 'website', hint: 'websiteHint', maxLength: 2000 }
    ]
  ],
  image: [{ name: 'image', kind: 'image', label: 'picture', emptyValue: null }],
  display: [
    { name: 'featured', kind: 'checkbox', label: 'featured', hint: 'featuredHint' },
    { name: 'sticky', kind: 'checkbox', label: 'sticky', hint: 'stickyHint' },
    { name: 'hide_from_listings', kind: 'checkbox', label: 'hidden', hint: 'hiddenHint' }
  ],
  eventStatus: [{ name: 'event_status', kind: 'select', label: 'eventStatus', initial: 'scheduled' }],
  status: [{ name: 'status', kind: 'select', label: 'status', initial: 'publish' }],
  publishAt: [
    {
      name: 'publish_at',
      kind: 'datetime',
      path: 'date',
      label: 'publishAt',
      hint: 'publishAtHint'
    }
  ],
  password: [
    {
      name: 'post_password',
      label: 'password',
      hint: 'passwordHint',
      autocomplete: 'off',
      spellcheck: false,
      maxLength: 200,
      emptyValue: undefined
    }
  ],
  removePassword: [{ name: 'remove_password', kind: 'checkbox', path: null, label: 'removePassword' }]
} as const satisfies FieldGroups<TextKey<EventFormStrings>>

/** What the event editor contains, as typed. */
export interface EventInput extends FieldInput<typeof eventFields> {
  /** Further venues, if it has several. */
  alsoAt: string[]
  organizers: string[]
  categories: string[]
  tags: string[]
  /** Has a future publication date, which publishing now must remove. */
  isPlanned: boolean
  repeat: RepeatInput
  /** Which events of its series are saved. */
  apply: ApplyScope
}

export type NewItemPrefix = 'new_venue_' | 'new_organizer_'

/** The filled fields of a venue or organizer that is created with the event, by the API's names. */
export function getNewItem(input: EventInput, prefix: NewItemPrefix): Record<string, string> {
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) =>
      name.startsWith(prefix) && typeof value === 'string' && value !== '' ? [[name.slice(prefix.length), value]] : []
    )
  )
}
