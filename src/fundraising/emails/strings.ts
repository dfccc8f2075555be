/** Texts of confirmation e-mails. `page` is the path of the donor's page on the site (src/web/server/paths.ts). */
export const strings = {
  en: {
    page: '/en/donate/thanks/',
    greeting: 'Hello,',
    greetingTo: (name: string) => `Dear ${name},`,
    madeSubject: (amount: string, campaign: string) => `Your donation of ${amount} for “${campaign}”: how to pay`,
    debitSubject: (amount: string, campaign: string) => `Your donation of ${amount} for “${campaign}”`,
    made: (amount: string, campaign: string) => `Thank you for pledging ${amount} for “${campaign}”.`,
    pay: 'Please transfer the amount to this account:',
    holder: 'Recipient',
    iban: 'IBAN',
    bank: 'Bank',
    amount: 'Amount',
    reference: 'Reference',
    keepReference: 'Please enter the reference exactly as shown: it tells us that the money is from you.',
    scan: 'Most banking apps can scan the attached code (GiroCode) and fill everything in.',
    collected: (amount: string) =>
      `There is nothing you need to do. As agreed, we will collect ${amount} from your account by direct debit, and tell you the collection date beforehand.`,
    look: 'View your donation',
    notYou:
      'Wasn’t you? Then there is nothing you need to do: no money is taken without a transfer or a mandate from you.',
    receivedSubject: (amount: string, campaign: string) =>
      `We have received your donation of ${amount} for “${campaign}”`,
    received: (amount: string, campaign: string) =>
      `We have received your donation of ${amount} for “${campaign}”. Thank you very much!`,
    receiptFollows: 'We will send you the donation receipt separately.',
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
      `Sie brauchen nichts zu tun: Wie vereinbart ziehen wir ${amount} per Lastschrift von Ihrem Konto ein und nennen Ihnen vorher das Einzugsdatum.`,
    look: 'Status Ihrer Spende ansehen',
    notYou:
      'Sie haben das nicht veranlasst? Dann brauchen Sie nichts zu tun: Ohne Ihre Überweisung oder Ihr Mandat fließt kein Geld.',
    receivedSubject: (amount: string, campaign: string) =>
      `Ihre Spende von ${amount} für „${campaign}“ ist eingegangen`,
    received: (amount: string, campaign: string) =>
      `Ihre Spende von ${amount} für „${campaign}“ ist bei uns eingegangen. Herzlichen Dank!`,
    receiptFollows: 'Ihre Zuwendungsbestätigung senden wir Ihnen gesondert.',
    regards: 'Mit freundlichen Grüßen'
  }
}
