import { ifMatch } from '#platform/conditional.ts'
import type { Language } from '#platform/language.ts'
import type { Scope } from '#platform/service.ts'
import { envelope, event } from '../answers.ts'
import { listAnswer, pageIn } from '../paging.ts'
import { noLongerAvailable, notAccessible, notAllowed, notFound, pageNotFound, passwordProtected } from '../problems.ts'
import { type Answer, addRoute, created, type Key, type RouteTable, type Visit } from '../tec.ts'
import { languageToRemove } from '../texts.ts'
import { isHidden, mayEdit, writers } from '../viewer.ts'
import { createEvent, removeEvent, removeEventText, trashEvent, updateEvent, type Written } from './event.ts'
import { findPage, readerOf } from './page.ts'
import type { EventRow } from './queries.ts'
import * as events from './queries.ts'
import { deleteParameters, eventChanges, eventFields, eventListParameters, readParameters } from './schema.ts'
import { eventToWire, isClosed } from './wire.ts'

export function eventRoutes(scope: Scope, table: RouteTable): void {
  addRoute(scope, table, {
    methods: ['GET'],
    path: '/events',
    needs: 'nothing',
    summary: 'List events, by start',
    takes: eventListParameters,
    answers: envelope('events', event),
    handler: async (visit, values) => {
      const { rows, total, filter } = await findPage(visit, values)
      return listAnswer(
        visit,
        'events',
        rows.map(row => eventToWire(row, { visit, password: values.password })),
        { page: pageIn(values), total, query: filter.query, beyond: () => pageNotFound('event') }
      )
    }
  })

  addRoute(scope, table, {
    methods: ['POST'],
    path: '/events',
    needs: writers,
    summary: 'Create an event',
    takes: eventFields,
    answers: event,
    creates: true,
    handler: async (visit, values) => {
      const answer = await created(visit, async db => {
        const written = await createEvent(db, visit, values)
        return { ...(await answerTo(visit, db, written)), path: `/events/${written.id}` }
      })
      return { ...answer, language: (answer.body as { language: Language }).language }
    }
  })

  for (const path of ['/events/{id}', '/events/by-slug/{slug}']) {
    addRoute(scope, table, {
      methods: ['GET'],
      path,
      needs: 'nothing',
      summary: 'Read an event',
      takes: readParameters,
      answers: event,
      handler: async (visit, values, key) => await readEvent(visit, key, values)
    })

    addRoute(scope, table, {
      methods: ['DELETE'],
      path,
      needs: writers,
      summary: 'Move an event to the trash, or remove it or one of its texts for good',
      takes: { ...readParameters, ...deleteParameters },
      answers: event,
      handler: async (visit, values, key) => {
        const { force } = values
        const removed = languageToRemove(visit.chosenLanguage, values)
        const id = await idOf(visit, key)
        const before =
          force === true ? await answerTo(visit, visit.db, { id, language: visit.language }, 'any') : undefined
        if (removed !== undefined) await removeEventText(visit.db, visit, id, removed, ifMatch(visit.request))
        else if (force === true) await removeEvent(visit.db, visit, id, ifMatch(visit.request))
        else await trashEvent(visit.db, visit, id, ifMatch(visit.request))
        return before ?? (await answerTo(visit, visit.db, { id, language: visit.language }))
      }
    })

    addRoute(scope, table, {
      methods: ['POST', 'PUT', 'PATCH'],
      path,
      needs: writers,
      summary: 'Change an event; what is not mentioned stays',
      takes: { ...eventChanges, password: readParameters.password },
      answers: event,
      handler: async (visit, values, key) => {
        const id = await idOf(visit, key)
        return await answerTo(visit, visit.db, await updateEvent(visit.db, visit, id, values, ifMatch(visit.request)))
      }
    })
  }
}

async function findByKey(visit: Visit, key: Key): Promise<EventRow | undefined> {
  return key.slug === ''
    ? await events.find(visit.db, key.id, readerOf(visit))
    : await events.findBySlug(visit.db, key.slug, readerOf(visit))
}

/** What a writer means; whether they may is decided under the lock. A slug does not tell of what they may not see. */
async function idOf(visit: Visit, { id, slug }: Key): Promise<number> {
  if (slug === '') return id
  const found = await events.findBySlug(visit.db, slug, readerOf(visit))
  if (found === undefined || isHidden(visit, found)) throw notFound('event', slug)
  return found.id
}

async function readEvent(
  visit: Visit,
  key: Key,
  { password, context }: { password?: string; context?: string }
): Promise<Answer> {
  const row = await findByKey(visit, key)
  if (row === undefined) throw notFound('event', key.slug === '' ? key.id : key.slug)
  if (row.status === 'trash') throw noLongerAvailable('event')
  // Slugs are guessed from titles: one that is taken must not say so. Numbers are answered as The Events Calendar does.
  if (isHidden(visit, row)) throw key.slug === '' ? notAccessible('event') : notFound('event', key.slug)
  const opened = context === 'edit' && mayEdit(visit.caller, row)
  if (isClosed(row, { password, opened })) throw passwordProtected('event')
  return {
    body: eventToWire(row, { visit, password, opened, single: true }),
    version: row.version,
    language: row.language
  }
}

/** The event as its writer sees it. */
async function answerTo(visit: Visit, db: Visit['db'], { id, language }: Written, which?: 'any'): Promise<Answer> {
  const row = await events.find(db, id, readerOf(visit, language))
  if (row === undefined) throw notFound('event', id)
  if (which === 'any' && !mayEdit(visit.caller, row)) throw notAllowed()
  return { body: eventToWire(row, { visit, opened: true }), version: row.version, language: row.language }
}
