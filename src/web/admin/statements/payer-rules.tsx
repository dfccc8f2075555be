import type { PayerRule } from '#fundraising/payments/payer-rules/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDateTime, maskIban } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { formatActor } from '../activity/describe-activity.ts'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { ActionButton } from '../shared/form.tsx'
import { type Column, Table } from '../shared/table.tsx'
import { menu } from './statement.ts'
import { MoreLink } from './statement-parts.tsx'

export const rulesPath = `${menu}/rules`

/** Lists the payer rules, each with a button to delete it. */
export async function showRules(context: AdminContext): Promise<AdminPage> {
  const strings = getMessages('payer-rule', context.language)
  const { body: rules, header } = await context.api.get<PayerRule[]>('/payer-rules', {
    limit: 50,
    cursor: context.query.cursor
  })
  return {
    title: strings.rules,
    menu,
    scripts: ['console'],
    actions: (
      <a class="button quiet" href={menu}>
        {getMessages('statement', context.language).title}
      </a>
    ),
    body: (
      <>
        <p class="lead">{strings.rulesLead}</p>
        <Table
          context={context}
          caption={strings.rules}
          empty={<p>{strings.rulesNone}</p>}
          rows={rules}
          columns={buildColumns(context)}
        />
        <MoreLink context={context} link={header('link')} />
      </>
    )
  }
}

export async function deleteRule(context: AdminContext): Promise<Redirect> {
  await context.api.delete(`/payer-rules/${encodeURIComponent(context.params.id ?? '')}`)
  context.flash({ text: getMessages('payer-rule', context.language).ruleDeleted })
  return redirect(rulesPath, 303)
}

function buildColumns(context: AdminContext): Column<PayerRule>[] {
  const { language, site } = context
  const strings = getMessages('payer-rule', language)
  const { anonymous } = getMessages('statement', language)
  return [
    {
      label: strings.payer,
      isHead: true,
      cell: one => (
        <>
          <span class="anywhere">{one.payerName ?? anonymous}</span>
          {one.iban === null ? null : <span class="below reference">{maskIban(one.iban)}</span>}
        </>
      )
    },
    {
      label: strings.rule,
      cell: one => (
        <>
          {one.action === 'ignore'
            ? strings.ruleIgnore
            : strings.ruleCampaign({ campaign: one.campaignName ?? String(one.campaignId) })}
          {one.note === null ? null : <span class="below anywhere">{one.note}</span>}
        </>
      )
    },
    {
      label: strings.ruleMade,
      isNamed: true,
      cell: one => (
        <>
          <time dateTime={one.createdAt}>{formatDateTime(language, one.createdAt, site.timezone)}</time>
          <span class="below">{formatActor(language, one.createdBy)}</span>
        </>
      )
    },
    {
      label: strings.ruleUsed,
      isNamed: true,
      cell: one =>
        one.lastUsedAt === null ? (
          <span class="muted">{strings.ruleUnused}</span>
        ) : (
          <time dateTime={one.lastUsedAt}>{formatDateTime(language, one.lastUsedAt, site.timezone)}</time>
        )
    },
    {
      label: <span class="visually-hidden">{strings.ruleDelete}</span>,
      cell: one => (
        <ActionButton
          context={context}
          action={`${rulesPath}/${one.id}/delete`}
          label={
            <>
              {strings.ruleDelete}
              <span class="visually-hidden"> {one.payerName ?? anonymous}</span>
            </>
          }
        />
      )
    }
  ]
}
