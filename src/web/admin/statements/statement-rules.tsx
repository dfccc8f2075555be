import type { PayerRule } from '#fundraising/payer-rules/schema.ts'
import { maskedIban, shortMoment } from '../../format.ts'
import { type Redirect, redirect } from '../../page.ts'
import { payerRuleWords } from '../../text/payer-rules.ts'
import { statementWords } from '../../text/statements.ts'
import type { ConsolePage, Desk } from '../console.ts'
import { Act } from '../form.tsx'
import { actorOf } from '../site/activity-words.ts'
import { type Column, Table } from '../table.tsx'
import { menu } from './statement-answers.ts'
import { More } from './statement-parts.tsx'

export const rulesPage = `${menu}/rules`

/** What becomes of payments of some payers, and the way to end that. */
export async function showRules(desk: Desk): Promise<ConsolePage> {
  const words = payerRuleWords[desk.language]
  const { body: rules, header } = await desk.api.get<PayerRule[]>('/payer-rules', {
    limit: 50,
    cursor: desk.query.cursor
  })
  return {
    title: words.rules,
    menu,
    islands: ['console'],
    actions: (
      <a class="button quiet" href={menu}>
        {statementWords[desk.language].title}
      </a>
    ),
    body: (
      <>
        <p class="lead">{words.rulesLead}</p>
        <Table
          desk={desk}
          caption={words.rules}
          empty={<p>{words.rulesNone}</p>}
          rows={rules}
          columns={columnsFor(desk)}
        />
        <More desk={desk} link={header('link')} />
      </>
    )
  }
}

export async function deleteRule(desk: Desk): Promise<Redirect> {
  await desk.api.delete(`/payer-rules/${encodeURIComponent(desk.params.id ?? '')}`)
  desk.say({ text: payerRuleWords[desk.language].ruleDeleted })
  return redirect(rulesPage, 303)
}

function columnsFor(desk: Desk): Column<PayerRule>[] {
  const { language, site } = desk
  const words = payerRuleWords[language]
  const { anonymous } = statementWords[language]
  return [
    {
      label: words.payer,
      isHead: true,
      cell: one => (
        <>
          <span class="anywhere">{one.payerName ?? anonymous}</span>
          {one.iban === null ? null : <span class="below reference">{maskedIban(one.iban)}</span>}
        </>
      )
    },
    {
      label: words.rule,
      cell: one => (
        <>
          {one.action === 'ignore' ? words.ruleIgnore : words.ruleCampaign(one.campaignName ?? String(one.campaignId))}
          {one.note === null ? null : <span class="below anywhere">{one.note}</span>}
        </>
      )
    },
    {
      label: words.ruleMade,
      isNamed: true,
      cell: one => (
        <>
          <time dateTime={one.createdAt}>{shortMoment(language, one.createdAt, site.timezone)}</time>
          <span class="below">{actorOf(language, one.createdBy)}</span>
        </>
      )
    },
    {
      label: words.ruleUsed,
      isNamed: true,
      cell: one =>
        one.lastUsedAt === null ? (
          <span class="faded">{words.ruleUnused}</span>
        ) : (
          <time dateTime={one.lastUsedAt}>{shortMoment(language, one.lastUsedAt, site.timezone)}</time>
        )
    },
    {
      label: <span class="visually-hidden">{words.ruleDelete}</span>,
      cell: one => (
        <Act
          desk={desk}
          action={`${rulesPage}/${one.id}/delete`}
          label={
            <>
              {words.ruleDelete}
              <span class="visually-hidden"> {one.payerName ?? anonymous}</span>
            </>
          }
        />
      )
    }
  ]
}
