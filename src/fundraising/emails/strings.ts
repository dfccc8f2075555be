/** Texts of confirmation e-mails. `page` is the path of the donor's page on the site (src/web/server/paths.ts). */
export const strings = {
  en: {
    page: '/en/donate/thanks/',
    greeting: 'Hello,',
    greetingTo: (name: string) => `Dear ${name},`,
    madeSubject: (amount: string, campaign: string) => `Your donation of ${amount} for “${campaign}”: how to pay`,
    debitSubject: (amount: string, campaign: string) => `Your donation of ${amount} for “${campaign}”`,
    made: (amount: string, campaign: string) => `Thank you for promising ${amount} for “${campaign}”.`,
    pay: 'Please transfer the amount to this account:',
    holder: 'Recipient',
    iban: 'IBAN',
    bank: 'Bank',
    amount: 'Amount',
    reference: 'Reference',
    keepReference: 'Please write the reference exactly as it stands here: it tells us that the money is yours.',
    scan: 'Most banking apps can scan the attached code (GiroCode) and fill everything in.',
    collected: (amount: string) =>
      `You need not do anything: as agreed, we will collect ${amount} from your account by direct debit, and tell you beforehand on which day.`,
    look: 'How your donation is doing',
    notYou:
      'You did not do this? Then you need not do anything: no money is taken without a transfer or a mandate of yours.',
    receivedSubject: (amount: string, campaign: string) =>
      `We have received your donation of ${amount} for “${campaign}”`,
    received: (amount: string, campaign: string) =>
      `Your donation of ${amount} for “${campaign}” has arrived. Thank you very much!`,
    receiptFollows: 'You asked for a receipt: it will follow.',
    regards: 'Kind regards'
  },
  de: {
    page: '/de/spenden/danke/',
    greeting: 'Guten Tag,',
    greetingTo: (name: string) => `Guten Tag ${name},`,
    madeSubject: (amount: string, campaign: string) => `Ihre Spende von ${amount} für „${campaign}“: So überweisen Sie`,
    debitSubject: (amount: string, campaign: string) => `Ihre Spende von ${amount} für „${campaign}“`,
    made: (amount: string, campaign: string) => `vielen Dank, dass Sie ${amount} für „${campaign}“ spenden möchten.`,
    pay: 'Bitte überweisen Sie den Betrag auf dieses Konto:',
    holder: 'Empfänger',
    iban: 'IBAN',
    bank: 'Bank',
    amount: 'Betrag',
    reference: 'Verwendungszweck',
    keepReference:
      'Bitte geben Sie den Verwendungszweck genau so an, wie er hier steht: Daran erkennen wir, dass das Geld von Ihnen kommt.',
    scan: 'Die meisten Banking-Apps können den angehängten Code (GiroCode) scannen und füllen dann alles aus.',
    collected: (amount: string) =>
      `Sie brauchen nichts zu tun: Wie vereinbart ziehen wir ${amount} per Lastschrift von Ihrem Konto ein und nennen Ihnen vorher den Tag.`,
    look: 'So steht es um Ihre Spende',
    notYou:
      'Sie haben das nicht veranlasst? Dann brauchen Sie nichts zu tun: Ohne Ihre Überweisung oder Ihr Mandat fließt kein Geld.',
    receivedSubject: (amount: string, campaign: string) => `Ihre Spende von ${amount} für „${campaign}“ ist angekommen`,
    received: (amount: string, campaign: string) =>
      `Ihre Spende von ${amount} für „${campaign}“ ist bei uns angekommen. Herzlichen Dank!`,
    receiptFollows: 'Sie haben um eine Zuwendungsbestätigung gebeten: Sie folgt.',
    regards: 'Mit freundlichen Grüßen'
  }
}
