import { randomUUID } from 'node:crypto'
import type { Collection, CollectionPreview } from '#fundraising/direct-debit/collections/schema.ts'
import { Refused } from '../../api.ts'
import { longDay, money, number, plainDay, shortMoment } from '../../format.ts'
import { type Redirect, redirect } from '../../page.ts'
import { collectionWords } from '../../text/collections.ts'
import { consoleWords } from '../../text/console.ts'
import { Check, ErrorSummary, Field } from '../../ui/field.tsx'
import { field } from '../../visit.ts'
import type { Console, ConsolePage, ConsoleRole, Desk } from '../console.ts'
import { Form, refusedForm } from '../form.tsx'
import { actorOf } from '../site/activity-words.ts'
import { Table } from '../table.tsx'
import { askToCancel, askToFinish, cancel, downloadFile, finish, showCollection, submit } from './collection-page.tsx'
import { More, menu, StatusBadge, Warnings } from './collection-parts.tsx'
import { askToRevoke, revoke } from './mandate-part.tsx'

const treasurers: ConsoleRole[] = ['treasurer']

/** Donations that are collected by direct debit. */
export function collectionPages(console: Console): void {
  const one = `${menu}/:id`
  console.show(menu, treasurers, async desk => await showCollections(desk))
  console.take(menu, treasurers, make)
  console.show(one, treasurers, showCollection)
  console.show(`${one}/file.xml`, treasurers, downloadFile)
  console.take(`${one}/submitted`, treasurers, submit)
  console.show(`${one}/done`, treasurers, askToFinish)
  console.take(`${one}/done`, treasurers, finish)
  console.show(`${one}/cancel`, treasurers, askToCancel)
  console.take(`${one}/cancel`, treasurers, cancel)
  console.show(`${menu}/mandates/:reference/revoke`, treasurers, askToRevoke)
  console.take(`${menu}/mandates/:reference/revoke`, treasurers, revoke)
}

interface Sent {
  day?: string
  fields: Record<string, string>
  general: string | undefined
}

async function showCollections(desk: Desk, sent: Sent = { fields: {}, general: undefined }): Promise<ConsolePage> {
  const { language, site, query } = desk
  const words = collectionWords[language]
  const [preview, found] = await Promise.all([
    previewOf(desk),
    desk.api.get<Collection[]>('/collections', { limit: 25, cursor: query.cursor })
  ])
  const isRefused = sent.general !== undefined || Object.keys(sent.fields).length > 0
  return {
    title: words.title,
    menu,
    status: isRefused ? 422 : 200,
    body: (
      <>
        <p class="lead">{words.lead}</p>
        {preview === undefined ? <NotSet desk={desk} /> : <Waiting desk={desk} preview={preview} sent={sent} />}
        <h2>{words.list}</h2>
        <Table
          desk={desk}
          caption={words.list}
          empty={<p>{words.none}</p>}
          rows={found.body}
          columns={[
            {
              label: words.collectedOn,
              isHead: true,
              cell: ({ id, collectOn }) => <a href={`${menu}/${id}`}>{plainDay(language, collectOn)}</a>
            },
            { label: words.state, cell: ({ status }) => <StatusBadge desk={desk} status={status} /> },
            { label: words.donations, isNumber: true, cell: ({ count }) => number(language, count) },
            {
              label: words.amount,
              isNumber: true,
              cell: ({ amount, currency }) => money(language, currency, amount, true)
            },
            {
              label: words.madeAt,
              isNamed: true,
              cell: ({ createdAt, by }) => (
                <>
                  <time dateTime={createdAt}>{shortMoment(language, createdAt, site.timezone)}</time>
                  <span class="below">{actorOf(language, by)}</span>
                </>
              )
            }
          ]}
        />
        <More desk={desk} link={found.header('link')} label={words.list} />
      </>
    )
  }
}

/** Undefined as long as the organisation cannot collect. */
async function previewOf(desk: Desk): Promise<CollectionPreview | undefined> {
  try {
    return (await desk.api.get<CollectionPreview>('/collections/preview')).body
  } catch (error) {
    if (error instanceof Refused && error.code === 'no-direct-debit') return undefined
    throw error
  }
}

function NotSet({ desk }: { desk: Desk }) {
  const words = collectionWords[desk.language]
  return (
    <section class="card narrow" aria-labelledby="not-set">
      <h2 id="not-set">{words.notSet}</h2>
      <p>{words.notSetText}</p>
      {desk.may() ? (
        <p>
          <a class="button" href="/admin/organisation">
            {words.setIt}
          </a>
        </p>
      ) : (
        <p class="faded">{words.askAdmin}</p>
      )}
    </section>
  )
}

function Waiting({ desk, preview, sent }: { desk: Desk; preview: CollectionPreview; sent: Sent }) {
  const { language } = desk
  const words = collectionWords[language]
  const { count, amount, currency, earliestOn, warnings } = preview
  return (
    <section class="card collection-waiting" aria-labelledby="waiting">
      <h2 id="waiting">{words.waiting}</h2>
      <ErrorSummary title={consoleWords[language].refused} errors={sent.fields} general={sent.general} />
      {count === 0 ? (
        <p>{words.nothing}</p>
      ) : (
        <p class="donation-sum">
          <strong>{money(language, currency, amount, true)}</strong>{' '}
          <span class="faded">{words.waitingOf(number(language, count))}</span>
        </p>
      )}
      <Warnings desk={desk} warnings={warnings} />
      {count === 0 ? null : (
        <Form desk={desk} action={menu}>
          <input type="hidden" name="once" value={randomUUID()} />
          <Field
            name="collectOn"
            type="date"
            label={words.day}
            hint={words.dayHint(longDay(language, earliestOn))}
            value={sent.day ?? earliestOn}
            min={earliestOn}
            required
            error={sent.fields.collectOn}
          />
          <Check name="batchBooking" label={words.batch} hint={words.batchHint} checked />
          <div class="actions">
            <button type="submit">{words.make}</button>
          </div>
        </Form>
      )}
    </section>
  )
}

async function make(desk: Desk): Promise<ConsolePage | Redirect> {
  const words = collectionWords[desk.language]
  const day = field(desk, 'collectOn')
  const once = field(desk, 'once')
  try {
    const { body } = await desk.api.post<Collection>(
      '/collections',
      { ...(day === '' ? {} : { collectOn: day }), batchBooking: field(desk, 'batchBooking') === 'yes' },
      /^[0-9a-f-]{36}$/.test(once) ? { 'idempotency-key': once } : {}
    )
    desk.say({ text: words.made })
    return redirect(`${menu}/${body.id}`, 303)
  } catch (error) {
    const { fields, general } = refusedForm(error)
    const { collectOn, ...others } = fields
    const named = collectOn === undefined ? {} : { collectOn: collectOn.replace(/^collectOn/, words.day) }
    return await showCollections(desk, { day, fields: { ...others, ...named }, general })
  }
}
