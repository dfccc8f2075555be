import { number } from '../../format.ts'
import { statementWords } from '../../text/statements.ts'
import type { Desk } from '../console.ts'
import { Form } from '../form.tsx'
import type { CampaignChoice, StatementEntry } from './statement-answers.ts'
import { about, entryPath } from './statement-parts.tsx'

interface Props {
  desk: Desk
  entry: StatementEntry
  campaigns: CampaignChoice[]
  /** Something else is likelier. */
  isQuiet?: boolean
}

/** Makes a donation of a payment that nobody had promised: with one click where the campaign is known. */
export function DonateForm({ desk, entry, campaigns, isQuiet = false }: Props) {
  const words = statementWords[desk.language]
  const { suggestedCampaignId: id, suggestedCampaignName: name, suggestedCampaignBy: by } = entry
  const fitting = campaigns.filter(({ currency }) => currency === entry.currency)
  if (fitting.length === 0) return null
  if (id === null || name === null || by === null) {
    return <Choose desk={desk} entry={entry} campaigns={fitting} isQuiet={isQuiet} />
  }
  return (
    <div class="entry-donate">
      <p class="anywhere">
        <strong>{name}</strong>
      </p>
      <p class="faded">{words.campaignBy[by]}</p>
      <Form desk={desk} action={entryPath(entry)} class="entry-donate-form">
        <Hidden desk={desk} entry={entry} />
        <input type="hidden" name="campaign" value={String(id)} />
        <Donor desk={desk} entry={entry} />
        <Buttons desk={desk} entry={entry} campaign={name} isQuiet={isQuiet} />
      </Form>
      {fitting.length === 1 && fitting[0]?.id === id ? null : (
        <details class="entry-other-campaign">
          <summary>{words.otherCampaign}</summary>
          <Choose desk={desk} entry={entry} campaigns={fitting.filter(campaign => campaign.id !== id)} isQuiet />
        </details>
      )}
    </div>
  )
}

function Choose({ desk, entry, campaigns, isQuiet = false }: Props) {
  const words = statementWords[desk.language]
  const [only, ...others] = campaigns
  const field = `campaign-${entry.id}`
  return (
    <Form desk={desk} action={entryPath(entry)} class="entry-donate-form">
      <Hidden desk={desk} entry={entry} />
      <Donor desk={desk} entry={entry} />
      <div class="field">
        <label for={field}>{words.campaign}</label>
        <select id={field} name="campaign" required>
          {only !== undefined && others.length === 0 ? null : <option value="">{words.chooseCampaign}</option>}
          {campaigns.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {entry.counterpart.iban === null ? null : (
        <label class="entry-remember">
          <input type="checkbox" name="remember" value="yes" /> {words.remember}
        </label>
      )}
      <Buttons desk={desk} entry={entry} isQuiet={isQuiet} />
    </Form>
  )
}

function Hidden({ desk, entry }: { desk: Desk; entry: StatementEntry }) {
  return (
    <>
      {Object.entries(about(desk, entry)).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  )
}

/** Only where the bank does not say who paid. */
function Donor({ desk, entry }: { desk: Desk; entry: StatementEntry }) {
  const words = statementWords[desk.language]
  if (entry.counterpart.name !== null) return null
  const field = `donor-${entry.id}`
  return (
    <div class="field">
      <label for={field}>{words.donor}</label>
      <input id={field} name="donor" type="text" maxLength={140} required autocomplete="off" />
    </div>
  )
}

/** For this payment, and for all of the payer where there are several. */
function Buttons({
  desk,
  entry,
  campaign,
  isQuiet
}: {
  desk: Desk
  entry: StatementEntry
  campaign?: string
  isQuiet: boolean
}) {
  const words = statementWords[desk.language]
  return (
    <div class="actions">
      <button type="submit" class={isQuiet ? 'small quiet' : 'small'} name="do" value="donate">
        {words.donate}
        {campaign === undefined ? null : <span class="visually-hidden">{words.donateTo(campaign)}</span>}
      </button>
      {entry.openOfPayer > 1 && entry.counterpart.iban !== null ? (
        <button type="submit" class="small quiet" name="do" value="donate-all">
          {words.donateAll(number(desk.language, entry.openOfPayer))}
        </button>
      ) : null}
    </div>
  )
}
