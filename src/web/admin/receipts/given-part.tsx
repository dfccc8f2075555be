import type { DonationKind, InKind } from '#fundraising/donation-kind.ts'
import type { DonationWithHistory } from '#fundraising/donations/schema.ts'
import { type Redirect, redirect } from '../../page.ts'
import { consoleWords } from '../../text/console.ts'
import { receiptWords } from '../../text/receipts.ts'
import { Check, Field } from '../../ui/field.tsx'
import { field } from '../../visit.ts'
import type { Desk } from '../console.ts'
import { Form, refusedForm } from '../form.tsx'
import { spoken } from '../spoken.ts'

export const givenPath = '/admin/receipts/given'

const kinds: DonationKind[] = ['money', 'membership_fee', 'waived_expenses', 'in_kind']
const origins: InKind['origin'][] = ['private', 'business', 'unknown']

/** Beside a donation that has come: what was given, because receipts differ by it. */
export function GivenPart({ desk, donation }: { desk: Desk; donation: DonationWithHistory }) {
  const words = receiptWords[desk.language].given
  const { kind = 'money', inKind = null, campaignId, id } = donation
  return (
    <details open={kind !== 'money'}>
      <summary>
        {words.title}: {words.kinds[kind]}
      </summary>
      <Form desk={desk} action={givenPath}>
        <input type="hidden" name="campaignId" value={String(campaignId)} />
        <input type="hidden" name="donationId" value={id} />
        <Field name="givenKind" label={words.title}>
          {tied => (
            <select {...tied}>
              {kinds.map(one => (
                <option key={one} value={one} selected={one === kind}>
                  {words.kinds[one]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <p class="hint">{words.thingHint}</p>
        <Field name="description" label={words.description} value={inKind?.description ?? ''} maxLength={300} />
        <Field name="condition" label={words.condition} value={inKind?.condition ?? ''} maxLength={300} />
        <Field name="origin" label={words.origin}>
          {tied => (
            <select {...tied}>
              {origins.map(one => (
                <option key={one} value={one} selected={one === inKind?.origin}>
                  {words.origins[one]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field name="basis" label={words.basis} value={inKind?.basis ?? ''} maxLength={300} />
        <Check name="documents" label={words.documents} checked={inKind?.documents === true} />
        <div class="actions">
          <button type="submit" class="quiet small">
            {consoleWords[desk.language].save}
          </button>
        </div>
      </Form>
    </details>
  )
}

/** Takes what the form says, and goes back to the donation. */
export async function saveGiven(desk: Desk): Promise<Redirect> {
  const words = receiptWords[desk.language].given
  const said = (name: string) => field(desk, name)
  const kind = kinds.find(one => one === said('givenKind')) ?? 'money'
  const campaignId = /^[0-9]{1,15}$/.test(said('campaignId')) ? said('campaignId') : '0'
  const id = /^[0-9a-f-]{36}$/.test(said('donationId')) ? said('donationId') : '00000000-0000-7000-8000-000000000000'
  const inKind = {
    description: said('description'),
    condition: said('condition') || null,
    origin: origins.find(one => one === said('origin')) ?? 'unknown',
    basis: said('basis') || null,
    documents: said('documents') === 'yes'
  }
  try {
    const change = { kind, inKind: kind === 'in_kind' ? inKind : null }
    await desk.api.patch(`/campaigns/${campaignId}/donations/${id}`, change)
    desk.say({ text: words.saved })
  } catch (error) {
    const { fields, general } = refusedForm(error)
    const labels = { 'inKind/description': words.description, inKind: words.description, kind: words.title }
    desk.say({ text: general ?? Object.values(spoken(fields, labels)).join(' '), tone: 'bad' })
  }
  return redirect(`/admin/donations/${campaignId}/${id}`, 303)
}
