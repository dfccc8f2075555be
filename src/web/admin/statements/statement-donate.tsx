import { getMessages } from '#platform/messages/messages.ts'
import { formatNumber } from '../../format/format.ts'
import type { AdminContext } from '../shared/context.ts'
import { Form } from '../shared/form.tsx'
import type { CampaignChoice, StatementEntry } from './statement.ts'
import { buildEntryFields, getEntryPath } from './statement-parts.tsx'

interface Props {
  context: AdminContext
  entry: StatementEntry
  campaigns: CampaignChoice[]
  /** Another action is likelier. */
  isQuiet?: boolean
}

/** Creates a donation from an unexpected payment: with one click if the campaign is known. */
export function DonateForm({ context, entry, campaigns, isQuiet = false }: Props) {
  const strings = getMessages('statement', context.language)
  const { suggestedCampaignId: id, suggestedCampaignName: name, suggestedCampaignBy: by } = entry
  const fitting = campaigns.filter(({ currency }) => currency === entry.currency)
  if (fitting.length === 0) return null
  if (id === null || name === null || by === null) {
    return <Choose context={context} entry={entry} campaigns={fitting} isQuiet={isQuiet} />
  }
  return (
    <div class="entry-donate">
      <p class="anywhere">
        <strong>{name}</strong>
      </p>
      <p class="muted">{strings.campaignBy[by]}</p>
      <Form context={context} action={getEntryPath(entry)} class="entry-donate-form">
        <Hidden context={context} entry={entry} />
        <input type="hidden" name="campaign" value={String(id)} />
        <Donor context={context} entry={entry} />
        <Buttons context={context} entry={entry} campaign={name} isQuiet={isQuiet} />
      </Form>
      {fitting.length === 1 && fitting[0]?.id === id ? null : (
        <details class="entry-other-campaign">
          <summary>{strings.otherCampaign}</summary>
          <Choose context={context} entry={entry} campaigns={fitting.filter(campaign => campaign.id !== id)} isQuiet />
        </details>
      )}
    </div>
  )
}

function Choose({ context, entry, campaigns, isQuiet = false }: Props) {
  const strings = getMessages('statement', context.language)
  const [only, ...others] = campaigns
  const field = `campaign-${entry.id}`
  return (
    <Form context={context} action={getEntryPath(entry)} class="entry-donate-form">
      <Hidden context={context} entry={entry} />
      <Donor context={context} entry={entry} />
      <div class="field">
        <label for={field}>{strings.campaign}</label>
        <select id={field} name="campaign" required>
          {only !== undefined && others.length === 0 ? null : <option value="">{strings.chooseCampaign}</option>}
          {campaigns.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {entry.counterpart.iban === null ? null : (
        <label class="entry-remember">
          <input type="checkbox" name="remember" value="yes" /> {strings.remember}
        </label>
      )}
      <Buttons context={context} entry={entry} isQuiet={isQuiet} />
    </Form>
  )
}

function Hidden({ context, entry }: { context: AdminContext; entry: StatementEntry }) {
  return (
    <>
      {Object.entries(buildEntryFields(context, entry)).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  )
}

/** Only if the bank does not name the payer. */
function Donor({ context, entry }: { context: AdminContext; entry: StatementEntry }) {
  const strings = getMessages('statement', context.language)
  if (entry.counterpart.name !== null) return null
  const field = `donor-${entry.id}`
  return (
    <div class="field">
      <label for={field}>{strings.donor}</label>
      <input id={field} name="donor" type="text" maxLength={140} required autocomplete="off" />
    </div>
  )
}

/** For this payment, or for all payments of the payer if there are several. */
function Buttons({
  context,
  entry,
  campaign,
  isQuiet
}: {
  context: AdminContext
  entry: StatementEntry
  campaign?: string
  isQuiet: boolean
}) {
  const strings = getMessages('statement', context.language)
  return (
    <div class="actions">
      <button type="submit" class={isQuiet ? 'small quiet' : 'small'} name="do" value="donate">
        {strings.donate}
        {campaign === undefined ? null : <span class="visually-hidden">{strings.donateTo({ campaign })}</span>}
      </button>
      {entry.openOfPayer > 1 && entry.counterpart.iban !== null ? (
        <button type="submit" class="small quiet" name="do" value="donate-all">
          {strings.donateAll({ count: formatNumber(context.language, entry.openOfPayer) })}
        </button>
      ) : null}
    </div>
  )
}
