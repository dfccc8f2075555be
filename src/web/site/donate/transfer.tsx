import { isSEPACountry } from 'ibantools'
import type { ComponentChildren } from 'preact'
import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { Account } from '#fundraising/money/account.ts'
import { isInEconomicArea } from '#platform/banking/economic-area.ts'
import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { formatMoney } from '../../format/format.ts'

/** An amount split into the figure, which bank forms take, and the text around it. */
interface Sum {
  before: string
  figure: string
  after: string
}

/** All data of a bank transfer, each with a copy button, and the same as a code to scan. */
export function TransferDetails({
  language,
  account,
  reference,
  amount,
  code
}: {
  language: Language
  account: Account
  reference: string
  /** Formatted, with currency. */
  amount?: string
  /** URL and alternative text of the image. */
  code?: { address: string; alt: string } | undefined
}) {
  const strings = getMessages('donor-page', language)
  const sum = amount === undefined ? undefined : splitSum(amount)
  return (
    <div class="transfer-details">
      <dl class="transfer">
        <Row
          label={strings.reference}
          kind={sum === undefined ? undefined : 'transfer-reference'}
          copy={<CopyButton language={language} of="#transfer-reference" label={strings.copyReference} />}
        >
          <span id="transfer-reference">{reference}</span>
        </Row>
        {sum === undefined ? null : (
          <Row
            label={strings.amount}
            copy={<CopyButton language={language} of="#transfer-amount" label={strings.copyAmount} />}
          >
            <span class="figure">
              {sum.before}
              <span id="transfer-amount">{sum.figure}</span>
              {sum.after}
            </span>
          </Row>
        )}
        <Row
          label={strings.payee}
          copy={<CopyButton language={language} of="#transfer-payee" label={strings.copyPayee} />}
          hint={strings.payeeHint}
        >
          <span id="transfer-payee">{account.name}</span>
        </Row>
        <Row
          label={strings.iban}
          copy={<CopyButton language={language} of="#transfer-iban" label={strings.copyIban} />}
        >
          {/* Groups are separated by CSS only, so that the copied text has no spaces. */}
          <span id="transfer-iban" class="iban figure">
            {(account.iban.match(/.{1,4}/g) ?? []).map((four, index) => (
              <span key={index}>{four}</span>
            ))}
          </span>
        </Row>
        {account.nameOfBank === '' ? null : (
          <Row label={strings.bank}>
            <span>{account.nameOfBank}</span>
          </Row>
        )}
      </dl>
      {code === undefined ? null : (
        <figure class="giro-code">
          <img src={code.address} alt={code.alt} width="220" height="220" loading="lazy" />
          <figcaption>{strings.scan}</figcaption>
        </figure>
      )}
    </div>
  )
}

/** Account data for donors who skip the form: a collapsed box with static data. Printed open, for notice boards. */
export function SelfTransfer({ language, campaign }: { language: Language; campaign: Campaign }) {
  const strings = getMessages('donate', language).self
  const { account, currency, id, name, reference } = campaign
  if (!isSepa(account, currency)) return null
  return (
    <details class="self-transfer">
      <summary>{strings.title}</summary>
      <p class="no-print">{strings.lead}</p>
      <TransferDetails
        language={language}
        account={account}
        // Same text as in the code, which has no languages and this length limit.
        reference={[...`${reference} ${name}`].slice(0, 140).join('')}
        code={
          hasCode(account)
            ? { address: `/campaigns/${id}/qr.svg`, alt: strings.codeOf({ name: account.name }) }
            : undefined
        }
      />
    </details>
  )
}

/** Codes exist only for euros, and for valid accounts in the SEPA area. */
function isSepa({ iban, ibanValid }: Account, currency: string): boolean {
  return currency === 'EUR' && ibanValid && isSEPACountry(iban.slice(0, 2))
}

/** Outside the EEA a code needs the BIC, which is known only for German banks. */
function hasCode({ iban }: Account): boolean {
  return isInEconomicArea(iban)
}

/** Direct debits are collected in euros, to an account in the European Economic Area. */
export function canCollect(account: Account, currency: string): boolean {
  return isSepa(account, currency) && isInEconomicArea(account.iban)
}

/** Instructions for a donor who transfers. */
export function DonorTransfer({
  language,
  token,
  donation: { amount, reference = '', campaign },
  title = getMessages('donor-page', language).transferTitle
}: {
  language: Language
  token: string
  /** Heading above the details, with the amount. */
  title?: (values: { amount: string }) => string
  donation: { amount: number; reference?: string; campaign: { account: Account; currency: string } }
}) {
  const strings = getMessages('donor-page', language)
  const { account, currency } = campaign
  const shown = formatMoney(language, currency, amount, true)
  const code = {
    address: `/donations/by-token/${encodeURIComponent(token)}/qr.svg`,
    alt: strings.codeOf({ amount: shown, payee: account.name, reference })
  }
  return (
    <section class="card thanks-transfer" aria-labelledby="thanks-transfer">
      <h2 id="thanks-transfer">{title({ amount: shown })}</h2>
      <p>{strings.transferLead}</p>
      <TransferDetails
        language={language}
        account={account}
        reference={reference}
        amount={shown}
        code={isSepa(account, currency) && hasCode(account) ? code : undefined}
      />
    </section>
  )
}

function Row({
  label,
  kind,
  copy,
  hint,
  children
}: {
  label: string
  kind?: string | undefined
  copy?: ComponentChildren
  hint?: string
  children: ComponentChildren
}) {
  return (
    <div class={kind === undefined ? 'transfer-row' : `transfer-row ${kind}`}>
      <dt>{label}</dt>
      <dd>
        {children}
        {copy}
      </dd>
      {hint === undefined ? null : <dd class="transfer-hint">{hint}</dd>}
    </div>
  )
}

function splitSum(amount: string): Sum {
  const [, before = '', figure = amount, after = ''] = /^(\D*)(\d.*\d|\d)(\D*)$/.exec(amount) ?? []
  return { before, figure, after }
}
