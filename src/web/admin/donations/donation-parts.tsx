import { formatLanguageName } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { Field } from '../../components/field.tsx'
import { formatDateTime, formatDay, formatIban, formatMoney } from '../../format/format.ts'
import { getCampaignText } from '../../server/campaign-text.ts'
import { formatActor } from '../activity/describe-activity.ts'
import type { AdminContext } from '../shared/context.ts'
import { FactRow, None } from '../shared/facts.tsx'
import { ActionButton, Form } from '../shared/form.tsx'
import type { DonationDetails } from './donation-details.ts'
import { getDonationPath } from './links/paths.ts'
import { DonationBadge } from './links/status-badge.tsx'
import { getNewsLabel, NewsPart } from './news-consent.tsx'
import { NextSteps } from './next-steps.tsx'

type Part = { context: AdminContext; shown: DonationDetails }

/** Read-only facts. */
export function Facts({ context, shown }: Part) {
  const { donation, campaign } = shown
  const { language, site } = context
  const { page: strings, statuses, anonymous } = getMessages('donation', language)
  const { yes, no } = getMessages('admin', language)
  const { name, lang } = getCampaignText(campaign, language)
  const { consent, receivedOn = null } = donation
  const payments = getMessages('payment', language)
  const hasGoneBack = (donation.payments ?? []).length > 0
  const nothing = donation.status === 'IN_PROCESS' ? payments.nothing : hasGoneBack ? payments.wentBack : null
  return (
    <section class="card" aria-labelledby="donation">
      <h2 id="donation">{strings.donation}</h2>
      <p class="donation-status">
        <DonationBadge status={donation.status} label={statuses[donation.status]} />
      </p>
      <dl class="donation-sum">
        <div>
          <dt>{payments.promised}</dt>
          <dd>{formatMoney(language, campaign.currency, donation.amount, true)}</dd>
        </div>
        <div>
          <dt>{payments.received}</dt>
          <dd>{formatMoney(language, campaign.currency, donation.amountReceived, true)}</dd>
          <dd class="below">{receivedOn === null ? nothing : formatDay(language, receivedOn)}</dd>
        </div>
      </dl>
      {donation.review === 'waiting' ? (
        <p class="notice warn">{getMessages('abuse-protection', language).review.note}</p>
      ) : null}
      <NextSteps context={context} shown={shown} />
      <dl class="facts facts-grid">
        <FactRow label={strings.donor}>
          {donation.donorName === null || (donation.erasedAt ?? null) !== null ? (
            anonymous
          ) : (
            <a href={`/admin/donors/of/${donation.id}`} dir="auto">
              {donation.donorName}
            </a>
          )}
        </FactRow>
        <FactRow label={strings.campaign}>
          <a href={`/admin/campaigns/${campaign.id}`} lang={lang}>
            {name}
          </a>
        </FactRow>
        <FactRow label={strings.reference}>
          <span class="reference">{donation.reference}</span>
        </FactRow>
        <FactRow label={strings.made}>
          <Moment context={context} at={donation.createdAt} />
        </FactRow>
        <FactRow label={strings.changed}>
          <Moment context={context} at={donation.updatedAt ?? donation.createdAt} />
        </FactRow>
        <FactRow label={strings.email}>
          {donation.email ? <a href={`mailto:${encodeURIComponent(donation.email)}`}>{donation.email}</a> : <None />}
        </FactRow>
        <FactRow label={strings.receipt}>{donation.receiptRequested === true ? yes : no}</FactRow>
        <FactRow label={strings.shown}>{donation.showName === true ? strings.shownYes : strings.shownNo}</FactRow>
        <FactRow label={strings.language}>
          {donation.language === undefined ? <None /> : formatLanguageName(donation.language, language)}
        </FactRow>
        <FactRow label={strings.address}>
          {donation.address ? (
            <>
              {donation.address.street}
              <br />
              {donation.address.postalCode} {donation.address.city}, {donation.address.country}
            </>
          ) : (
            <None />
          )}
        </FactRow>
        <FactRow label={strings.message} look="fact-wide">
          {donation.message === null ? (
            strings.messageNone
          ) : (
            <span class="typed" lang={donation.language}>
              {donation.message}
            </span>
          )}
        </FactRow>
        <FactRow label={strings.consent} look="fact-wide">
          {consent ? (
            <>
              <span class="typed" lang={donation.language}>
                {consent.text}
              </span>
              <span class="below">
                {consent.version === null
                  ? formatDateTime(language, consent.at, site.timezone)
                  : strings.consentVersion({
                      at: formatDateTime(language, consent.at, site.timezone),
                      version: consent.version
                    })}
              </span>
            </>
          ) : (
            strings.consentNone
          )}
        </FactRow>
        <FactRow label={getNewsLabel(language)} look="fact-wide">
          <NewsPart
            context={context}
            action={`/admin/donations/${campaign.id}/${donation.id}/news/unsubscribe`}
            news={donation.news}
          />
        </FactRow>
      </dl>
    </section>
  )
}

function Moment({ context: { language, site }, at }: { context: AdminContext; at: string }) {
  return <time dateTime={at}>{formatDateTime(language, at, site.timezone)}</time>
}

/** Shows the full IBAN, as only treasurers can open this page. */
export function AccountPart({ context, shown: { donation } }: Part) {
  const strings = getMessages('donation', context.language).page
  const { account } = donation
  return (
    <section class="card" aria-labelledby="account">
      <h2 id="account">{strings.account}</h2>
      {account ? (
        <dl class="facts facts-grid">
          <FactRow label={strings.iban} look="fact-wide">
            <span class="reference">{formatIban(account.iban)}</span>
            {account.ibanValid ? null : <span class="below bad-text">{strings.ibanWrong}</span>}
          </FactRow>
          <FactRow label={strings.holder}>{account.name}</FactRow>
          <FactRow label={strings.bank}>{account.nameOfBank === '' ? <None /> : account.nameOfBank}</FactRow>
        </dl>
      ) : (
        <p class="muted">{strings.noAccount}</p>
      )}
    </section>
  )
}

export function Notes({
  context,
  shown,
  typed,
  idempotencyKey,
  error
}: Part & { typed: string; idempotencyKey: string; error: string | undefined }) {
  const { language, site } = context
  const strings = getMessages('donation', language).page
  const notes = shown.donation.notes ?? []
  return (
    <section class="card" aria-labelledby="notes">
      <h2 id="notes">{strings.notes}</h2>
      {notes.length === 0 ? <p class="muted">{strings.noNotes}</p> : null}
      <ul class="lines notes">
        {notes.map(({ id, text, at, actor }) => {
          const moment = formatDateTime(language, at, site.timezone)
          return (
            <li key={id}>
              <p class="typed">{text}</p>
              <div class="note-foot">
                <span class="muted">
                  {formatActor(language, actor)}, <time dateTime={at}>{moment}</time>
                </span>
                <ActionButton
                  context={context}
                  action={`${getDonationPath(shown.donation)}/notes/${id}/remove`}
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
      <Form context={context} action={`${getDonationPath(shown.donation)}/notes`}>
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

export function History({ context, shown }: Part) {
  const { language, site } = context
  const { page: strings, statuses } = getMessages('donation', language)
  return (
    <section class="card" aria-labelledby="history">
      <h2 id="history">{strings.history}</h2>
      <ol class="history">
        {(shown.donation.history ?? []).map(({ status, at, actor }) => (
          <li key={at + status} class={status === 'TRANSFERRED' ? 'good' : undefined}>
            <strong>{statuses[status]}</strong>
            <span class="below">
              <time dateTime={at}>{formatDateTime(language, at, site.timezone)}</time> {strings.by}{' '}
              {formatActor(language, actor)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
