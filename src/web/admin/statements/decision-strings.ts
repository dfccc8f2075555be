import type { SuggestedBy } from '#fundraising/payments/statements/schema.ts'
import type { Language } from '#platform/language.ts'

/** Decisions about an entry: confirm, split, ignore, or make a donation of it. */
const en = {
  confirm: 'Confirm',
  confirmReturn: 'Book as returned',
  confirmFor: (donor: string) => ` for ${donor}`,
  take: 'Match this one',
  others: (count: string) => `Other suggestions: ${count}`,
  find: 'Find a donation',
  findAnother: 'Find another',
  ignore: 'Ignore',
  unignore: 'Stop ignoring',
  alwaysIgnore: (payer: string) => `Always ignore payments from ${payer}`,
  takeBack: 'Undo booking',
  accept: (received: string, promised: string) => `Accept ${received} of ${promised}`,
  waitForRest: 'Wait for the rest',
  bookAll: 'Book all for it',
  bookExtra: (extra: string) => `Book the extra ${extra} as a separate donation`,
  bookOwn: 'Book as a separate donation',
  bookBatch: (batch: string) => `Book for direct debit batch ${batch}`,
  batch: (batch: string) => `Direct debit batch ${batch}`,
  batchFor: (amount: string, day: string) => `${amount}, debited on ${day}`,
  share: (amount: string) => `${amount} of this transaction`,
  donate: 'Create a donation',
  donateTo: (campaign: string) => ` to ${campaign}`,
  donateAll: (count: string) => `For all ${count} payments of this payer`,
  otherCampaign: 'To another campaign',
  chooseCampaign: 'Choose a campaign',
  campaignBy: {
    reference: 'The remittance text names this campaign.',
    rule: 'A rule for this payer names this campaign.',
    earlier: 'This payer gave to this campaign before.'
  } satisfies Record<SuggestedBy, string>,
  remember: 'Suggest this campaign for this payer from now on',
  moreActions: 'More',
  splitThese: (count: string) => `Book for these ${count} donations`,
  split: 'Split over several donations',
  splitLead: (amount: string) =>
    `Enter the reference and the amount of each donation. Together they must be ${amount}, and each donation is named once.`,
  splitReference: 'Reference',
  splitRow: (row: string) => `Donation ${row}`,
  splitLeft: 'Left to divide',
  splitSend: 'Book these donations',
  splitNoDonation: (reference: string) => `There is no donation with the reference ${reference}.`,
  splitTooFew: 'Enter at least two donations with their amounts.',
  confirmAll: ['Confirm 1 exact suggestion', 'Confirm all %s exact suggestions'] as [string, string],
  confirmAllHint: 'Suggestions on this page with a matching amount and no alternative.'
}

const de: typeof en = {
  confirm: 'Bestätigen',
  confirmReturn: 'Als Rücklastschrift verbuchen',
  confirmFor: donor => ` für ${donor}`,
  take: 'Dieser zuordnen',
  others: count => `Weitere Vorschläge: ${count}`,
  find: 'Spende suchen',
  findAnother: 'Andere suchen',
  ignore: 'Ignorieren',
  unignore: 'Nicht mehr ignorieren',
  alwaysIgnore: payer => `Zahlungen von ${payer} immer ignorieren`,
  takeBack: 'Buchung aufheben',
  accept: (received, promised) => `${received} von ${promised} annehmen`,
  waitForRest: 'Auf den Rest warten',
  bookAll: 'Alles dafür verbuchen',
  bookExtra: extra => `${extra} als eigene Spende verbuchen`,
  bookOwn: 'Als eigene Spende verbuchen',
  bookBatch: batch => `Für Lastschrifteinzug ${batch} verbuchen`,
  batch: batch => `Lastschrifteinzug ${batch}`,
  batchFor: (amount, day) => `${amount}, fällig am ${day}`,
  share: amount => `${amount} aus diesem Umsatz`,
  donate: 'Spende anlegen',
  donateTo: campaign => ` für ${campaign}`,
  donateAll: count => `Für alle ${count} Zahlungen dieser Person`,
  otherCampaign: 'Für eine andere Spendenaktion',
  chooseCampaign: 'Spendenaktion wählen',
  campaignBy: {
    reference: 'Der Verwendungszweck nennt diese Spendenaktion.',
    rule: 'Eine Regel für diese Person nennt diese Spendenaktion.',
    earlier: 'Diese Person hat schon für diese Spendenaktion gespendet.'
  },
  remember: 'Diese Spendenaktion künftig für diese Person vorschlagen',
  moreActions: 'Mehr',
  splitThese: count => `Für diese ${count} Spenden verbuchen`,
  split: 'Auf mehrere Spenden aufteilen',
  splitLead: amount =>
    `Geben Sie Referenz und Betrag jeder Spende ein. Zusammen müssen es ${amount} sein; jede Spende kommt einmal vor.`,
  splitReference: 'Referenz',
  splitRow: row => `Spende ${row}`,
  splitLeft: 'Noch zu verteilen',
  splitSend: 'Diese Spenden verbuchen',
  splitNoDonation: reference => `Es gibt keine Spende mit der Referenz ${reference}.`,
  splitTooFew: 'Geben Sie mindestens zwei Spenden mit ihren Beträgen ein.',
  confirmAll: ['1 genauen Vorschlag bestätigen', 'Alle %s genauen Vorschläge bestätigen'],
  confirmAllHint: 'Vorschläge auf dieser Seite mit übereinstimmendem Betrag und ohne Alternative.'
}

export const decisionStrings: Record<Language, typeof en> = { en, de }
