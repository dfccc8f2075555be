import type { DonorRecord } from '#fundraising/donors/schema.ts'
import { formatLanguageName } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { Field } from '../../components/field.tsx'
import { formatDateTime, formatDay, formatMoney } from '../../format/format.ts'
import { formatActor } from '../activity/describe-activity.ts'
import { getDonationPath } from '../donations/links/paths.ts'
import type { AdminContext } from '../shared/context.ts'
import { FactRow, None } from '../shared/facts.tsx'
import { ActionButton, Form } from '../shared/form.tsx'
import { DonorLine, formatSums, getDonorPath, toSiteDay } from './donor-format.tsx'

interface Part {
  context: AdminContext
  donor: DonorRecord
}

export function Facts({ context, donor }: Part) {
  const { language } = context
  const strings = getMessages('donors', language)
  const { address } = donor
  const others = donor.names.filter(name => name !== donor.name)
  const [latest] = donor.donations
  return (
    <section class="card" aria-labelledby="donor">
      <h2 id="donor">{strings.facts}</h2>
      <dl class="donation-sum">
        <div>
          <dt>{strings.received}</dt>
          <dd>{formatSums(context, donor)}</dd>
        </div>
      </dl>
      <dl class="facts facts-grid">
        <FactRow label={strings.emails}>
          {donor.emails.length === 0 ? (
            <None />
          ) : (
            donor.emails.map(email => (
              <span key={email} class="typed">
                <a href={`mailto:${encodeURIComponent(email)}`}>{email}</a>{' '}
              </span>
            ))
          )}
        </FactRow>
        <FactRow label={strings.address}>
          {address === null ? (
            <None />
          ) : (
            <span dir="auto">
              {address.street}
              <br />
              {address.postalCode} {address.city}, {address.country}
            </span>
          )}
        </FactRow>
        {others.length === 0 ? null : (
          <FactRow label={strings.otherNames}>
            <span class="anywhere" dir="auto">
              {others.join(', ')}
            </span>
          </FactRow>
        )}
        <FactRow label={strings.language}>
          {donor.language === null ? <None /> : formatLanguageName(donor.language, language)}
        </FactRow>
        <FactRow label={strings.first}>{formatDay(language, toSiteDay(context, donor.firstDonationAt))}</FactRow>
        <FactRow label={strings.last}>{formatDay(language, toSiteDay(context, donor.lastDonationAt))}</FactRow>
        {latest === undefined || latest.campaignDeleted ? null : (
          <FactRow label={strings.data} look="fact-wide">
            <p class="hint part-hint">{strings.dataHint}</p>
            <a href={`${getDonationPath(latest)}#donor-data`}>{strings.toData}</a>
          </FactRow>
        )}
      </dl>
      <p>
        <a href={`${getDonorPath(donor.id)}/merge`}>{strings.merge}</a>
      </p>
    </section>
  )
}

/** Other donors who may be the same person. */
export function Suggestions({ context, donor }: Part) {
  const strings = getMessages('donors', context.language)
  if (donor.duplicates.length === 0) return null
  return (
    <section class="notice warn" aria-labelledby="suggestions">
      <h2 id="suggestions">{strings.suggestions}</h2>
      <ul class="lines">
        {donor.duplicates.map(({ donor: other, reasons }) => (
          <li key={other.id} class="line">
            <div class="line-main">
              <p class="line-title">
                <DonorLine donor={other} />
              </p>
              <p class="line-hint">{reasons.map(reason => strings.reasons[reason]).join(', ')}</p>
            </div>
            <a
              class="button small quiet"
              href={`${getDonorPath(donor.id)}/merge/${other.id}`}
              aria-label={strings.compareOf({ name: other.name })}
            >
              {strings.compare}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function Notes({
  context,
  donor,
  typed,
  idempotencyKey,
  error
}: Part & { typed: string; idempotencyKey: string; error: string | undefined }) {
  const { language, site } = context
  const strings = getMessages('donation', language).page
  const path = `${getDonorPath(donor.id)}/notes`
  return (
    <section class="card" aria-labelledby="notes">
      <h2 id="notes">{strings.notes}</h2>
      {donor.notes.length === 0 ? <p class="muted">{strings.noNotes}</p> : null}
      <ul class="lines notes">
        {donor.notes.map(({ id, text, at, actor }) => {
          const moment = formatDateTime(language, at, site.timezone)
          return (
            <li key={id}>
              <p class="typed" dir="auto">
                {text}
              </p>
              <div class="note-foot">
                <span class="muted">
                  {formatActor(language, actor)}, <time dateTime={at}>{moment}</time>
                </span>
                <ActionButton
                  context={context}
                  action={`${path}/${id}/remove`}
                  look="link"
                  label={
                    <>
                      <span aria-hidden="true">{strings.removeNote}</span>
                      <span class="visually-hidden">{strings.removeNoteOf({ at: moment })}</span>
                    </>
                  }
                />
              </div>
            </li>
          )
        })}
      </ul>
      <Form context={context} action={path}>
        <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
        <Field name="text" label={strings.note} hint={strings.notesHint} error={error}>
          {tied => (
            <textarea {...tied} class="short" rows={2} maxLength={2000} required>
              {typed}
            </textarea>
          )}
        </Field>
        <button type="submit" class="small">
          {strings.addNote}
        </button>
      </Form>
    </section>
  )
}

export function Receipts({ context, donor }: Part) {
  const { language } = context
  const strings = getMessages('donors', language)
  return (
    <section class="card" aria-labelledby="receipts">
      <h2 id="receipts">{strings.receipts}</h2>
      {donor.receipts.length === 0 ? <p class="muted">{strings.noReceipts}</p> : null}
      <ul class="plain-list">
        {donor.receipts.map(({ id, number, state, issuedOn, amount, currency }) => (
          <li key={id}>
            <a href={`/admin/receipts/${id}`}>{number}</a>, {formatMoney(language, currency, amount, true)}
            <span class="below">
              {strings.receiptStates[state]}, {formatDay(language, issuedOn)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function Mandates({ context, donor }: Part) {
  const { language } = context
  const strings = getMessages('donors', language)
  if (donor.mandates.length === 0) return null
  return (
    <section class="card" aria-labelledby="mandates">
      <h2 id="mandates">{strings.mandates}</h2>
      <ul class="plain-list">
        {donor.mandates.map(({ reference, status, signedAt, campaignId, donationId }) => (
          <li key={reference}>
            <a class="reference" href={getDonationPath({ campaignId, id: donationId })}>
              {reference}
            </a>
            <span class="below">
              {strings.mandateStatuses[status]},{' '}
              {strings.mandateGiven({ day: formatDay(language, toSiteDay(context, signedAt)) })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What the donor agreed to, when, and in which words. */
export function Consents({ context, donor }: Part) {
  const { language, site } = context
  const strings = getMessages('donors', language)
  const { page } = getMessages('donation', language)
  return (
    <section class="card" aria-labelledby="consents">
      <h2 id="consents">{strings.consents}</h2>
      {donor.consents.length === 0 ? <p class="muted">{strings.noConsents}</p> : null}
      <ul class="plain-list">
        {donor.consents.map(({ donationId, text, version, at }) => (
          <li key={donationId}>
            <span class="typed" dir="auto">
              {text}
            </span>
            <span class="below">
              {version === null
                ? formatDateTime(language, at, site.timezone)
                : page.consentVersion({ at: formatDateTime(language, at, site.timezone), version })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function Merges({ context, donor }: Part) {
  const { language } = context
  const strings = getMessages('donors', language)
  if (donor.merges.length === 0) return null
  return (
    <section class="card" aria-labelledby="merges">
      <h2 id="merges">{strings.merges}</h2>
      <ul class="plain-list">
        {donor.merges.map(({ id, at, actor, undoneAt }) => (
          <li key={id}>
            {strings.mergeOf({ day: formatDay(language, toSiteDay(context, at)), actor: formatActor(language, actor) })}
            {undoneAt === null ? (
              <div>
                <ActionButton
                  context={context}
                  action={`${getDonorPath(donor.id)}/merges/${id}/undo`}
                  label={strings.undo}
                />
              </div>
            ) : (
              <span class="below">
                {strings.mergeUndone({ day: formatDay(language, toSiteDay(context, undoneAt)) })}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
