import type { Language } from '#platform/language.ts'

/** Payer rules: what happens with every payment from an account. */
const en = {
  rules: 'Payer rules',
  rulesLead:
    'Payments of these payers are ignored when a bank statement is imported, or a campaign is suggested for them. Payments that name a donation are always matched with it.',
  rulesNone:
    'There are no rules yet. You create one at a transaction: “Always ignore payments from …”, or with a donation.',
  payer: 'Payer',
  rule: 'Action',
  ruleIgnore: 'Ignore',
  ruleCampaign: (campaign: string) => `Suggest ${campaign}`,
  ruleMade: 'Created',
  ruleUsed: 'Last used',
  ruleUnused: 'Never',
  ruleDelete: 'Delete',
  ruleDeleted: 'The rule was deleted. Transactions that it ignored stay ignored.'
}

export type PayerRuleStrings = typeof en

const de: PayerRuleStrings = {
  rules: 'Regeln für Zahlungen',
  rulesLead:
    'Zahlungen dieser Personen werden beim Import eines Kontoauszugs ignoriert, oder es wird eine Spendenaktion vorgeschlagen. Zahlungen, die eine Spende nennen, werden ihr immer zugeordnet.',
  rulesNone:
    'Es gibt noch keine Regeln. Sie legen sie an einem Umsatz an: „Zahlungen von … immer ignorieren“ oder zusammen mit einer Spende.',
  payer: 'Zahlende Person',
  rule: 'Aktion',
  ruleIgnore: 'Ignorieren',
  ruleCampaign: campaign => `${campaign} vorschlagen`,
  ruleMade: 'Angelegt',
  ruleUsed: 'Zuletzt angewendet',
  ruleUnused: 'Nie',
  ruleDelete: 'Löschen',
  ruleDeleted: 'Die Regel wurde gelöscht. Umsätze, die sie ignoriert hat, bleiben ignoriert.'
}

export const payerRuleStrings: Record<Language, PayerRuleStrings> = { en, de }
