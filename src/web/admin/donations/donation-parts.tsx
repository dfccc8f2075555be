import type { ComponentChildren } from 'preact'
import { campaignText } from '../../campaign-text.ts'
import { ibanInFours, money, plainDay, shortMoment } from '../../format.ts'
import { consoleWords } from '../../text/console.ts'
import { guardWords } from '../../text/guard.ts'
import { moneyWords } from '../../text/money.ts'
import { paymentWords } from '../../text/payments.ts'
import { Field } from '../../ui/field.tsx'
import type { Desk } from '../console.ts'
import { Act, Form } from '../form.tsx'
import { actorOf } from '../site/activity-words.ts'
import { getDonationPath } from './addresses.ts'
import { DonationBadge } from './donation-list.tsx'
import { NextSteps } from './next-steps.tsx'
import type { Shown } from './shown.ts'

type Part = { desk: Desk; shown: Shown }

/** Everything that is known of it and stays as it is. */
export function Facts({ desk, shown }: Part) {
  const { donation, campaign } = shown
  const { language, site } = desk
  const { page: words, statuses, anonymous } = moneyWords[language]
  const { yes, no } = consoleWords[language]
  const { name, lang } = campaignText(campaign, language)
  const { consent, receivedOn = null } = donation
  const payments = paymentWords[language]
  const hasGoneBack = (donation.payments ?? []).length > 0
  const nothing = donation.status === 'IN_PROCESS' ? payments.nothing : hasGoneBack ? payments.wentBack : null
  return (
    <section class="card" aria-labelledby="donation">
      <h2 id="donation">{words.donation}</h2>
      <p class="donation-status">
        <DonationBadge status={donation.status} label={statuses[donation.status]} />
      </p>
      <dl class="donation-sum">
        <div>
          <dt>{payments.promised}</dt>
          <dd>{money(language, campaign.currency, donation.amount, true)}</dd>
        </div>
        <div>
          <dt>{payments.received}</dt>
          <dd>{money(language, campaign.currency, donation.amountReceived, true)}</dd>
          <dd class="below">{receivedOn === null ? nothing : plainDay(language, receivedOn)}</dd>
        </div>
      </dl>
      {donation.review === 'waiting' ? <p class="notice warn">{guardWords[language].review.note}</p> : null}
      <NextSteps desk={desk} shown={shown} />
      <dl class="facts facts-grid">
        <Fact label={words.donor}>{donation.donorName ?? anonymous}</Fact>
        <Fact label={words.campaign}>
          <a href={`/admin/campaigns/${campaign.id}`} lang={lang}>
            {name}
          </a>
        </Fact>
        <Fact label={words.reference}>
          <span class="reference">{donation.reference}</span>
        </Fact>
        <Fact label={words.made}>
          <Moment desk={desk} at={donation.createdAt} />
        </Fact>
        <Fact label={words.changed}>
          <Moment desk={desk} at={donation.updatedAt ?? donation.createdAt} />
        </Fact>
        <Fact label={words.email}>
          {donation.email ? <a href={`mailto:${encodeURIComponent(donation.email)}`}>{donation.email}</a> : <None />}
        </Fact>
        <Fact label={words.receipt}>{donation.receiptRequested === true ? yes : no}</Fact>
        <Fact label={words.shown}>{donation.showName === true ? words.shownYes : words.shownNo}</Fact>
        <Fact label={words.language}>
          {donation.language === undefined ? <None /> : words.otherLanguages[donation.language]}
        </Fact>
        <Fact label={words.address}>
          {donation.address ? (
            <>
              {donation.address.street}
              <br />
              {donation.address.postalCode} {donation.address.city}, {donation.address.country}
            </>
          ) : (
            <None />
          )}
        </Fact>
        <Fact label={words.message} look="fact-wide">
          {donation.message === null ? (
            words.messageNone
          ) : (
            <span class="typed" lang={donation.language}>
              {donation.message}
            </span>
          )}
        </Fact>
        <Fact label={words.consent} look="fact-wide">
          {consent ? (
            <>
              <span class="typed" lang={donation.language}>
                {consent.text}
              </span>
              <span class="below">
                {words.consentAt(shortMoment(language, consent.at, site.timezone), consent.version ?? '')}
              </span>
            </>
          ) : (
            words.consentNone
          )}
        </Fact>
      </dl>
    </section>
  )
}

function Fact({ label, look, children }: { label: string; look?: string; children: ComponentChildren }) {
  return (
    <div class={look}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function None() {
  return <span class="faded">–</span>
}

function Moment({ desk: { language, site }, at }: { desk: Desk; at: string }) {
  return <time dateTime={at}>{shortMoment(language, at, site.timezone)}</time>
}

/** In full, as only treasurers come here. */
export function AccountPart({ desk, shown: { donation } }: Part) {
  const words = moneyWords[desk.language].page
  const { account } = donation
  return (
    <section class="card" aria-labelledby="account">
      <h2 id="account">{words.account}</h2>
      {account ? (
        <dl class="facts facts-grid">
          <Fact label={words.iban} look="fact-wide">
            <span class="reference">{ibanInFours(account.iban)}</span>
            {account.ibanValid ? null : <span class="below bad-text">{words.ibanWrong}</span>}
          </Fact>
          <Fact label={words.holder}>{account.name}</Fact>
          <Fact label={words.bank}>{account.nameOfBank === '' ? <None /> : account.nameOfBank}</Fact>
        </dl>
      ) : (
        <p class="faded">{words.noAccount}</p>
      )}
    </section>
  )
}

export function Notes({
  desk,
  shown,
  typed,
  once,
  error
}: Part & { typed: string; once: string; error: string | undefined }) {
  const { language, site } = desk
  const words = moneyWords[language].page
  const notes = shown.donation.notes ?? []
  return (
    <section class="card" aria-labelledby="notes">
      <h2 id="notes">{words.notes}</h2>
      {notes.length === 0 ? <p class="faded">{words.noNotes}</p> : null}
      <ul class="lines notes">
        {notes.map(({ id, text, at, actor }) => {
          const moment = shortMoment(language, at, site.timezone)
          return (
            <li key={id}>
              <p class="typed">{text}</p>
              <div class="note-foot">
                <span class="faded">
                  {actorOf(language, actor)}, <time dateTime={at}>{moment}</time>
                </span>
                <Act
                  desk={desk}
                  action={`${getDonationPath(shown.donation)}/notes/${id}/remove`}
                  look="link"
                  label={
                    <>
                      <span aria-hidden="true">{words.removeNote}</span>
                      <span class="visually-hidden">{words.removeNoteOf(moment)}</span>
                    </>
                  }
                />
              </div>
            </li>
          )
        })}
      </ul>
      <Form desk={desk} action={`${getDonationPath(shown.donation)}/notes`}>
        <input type="hidden" name="once" value={once} />
        <Field name="text" label={words.note} hint={words.notesHint} error={error}>
          {tied => (
            <textarea {...tied} class="short" rows={2} maxLength={2000} required>
              {typed}
            </textarea>
          )}
        </Field>
        <button type="submit" class="small">
          {words.addNote}
        </button>
      </Form>
    </section>
  )
}

export function History({ desk, shown }: Part) {
  const { language, site } = desk
  const { page: words, statuses } = moneyWords[language]
  return (
    <section class="card" aria-labelledby="history">
      <h2 id="history">{words.history}</h2>
      <ol class="history">
        {(shown.donation.history ?? []).map(({ status, at, actor }) => (
          <li key={at + status} class={status === 'TRANSFERRED' ? 'good' : undefined}>
            <strong>{statuses[status]}</strong>
            <span class="below">
              <time dateTime={at}>{shortMoment(language, at, site.timezone)}</time> {words.by}{' '}
              {actorOf(language, actor)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
