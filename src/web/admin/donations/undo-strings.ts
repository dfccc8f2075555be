import type { Language } from '#platform/language.ts'

/** Undoing changes of a donation, and why one cannot be undone or changed. */
const en = {
  undo: (status: string) => `Undo: ${status}`,
  undoHint: (status: string, at: string, who: string) => `${status} since ${at}, by ${who}.`,
  undoBank: 'The bank transaction is then unassigned as well.',
  undone: (amount: string, name: string, reference: string, status: string) =>
    `Undone: ${amount} from ${name} (${reference}). Status: ${status}.`,
  undoneSome: (count: string) => `${count} undone.`,
  undoneNone: 'Nothing was undone.',
  nothingToUndo: 'There is nothing to undo.',
  stopped: 'Nothing was changed.',
  certified: (number: string) => `Donation receipt ${number} certifies this donation. Withdraw it first.`,
  toReceipt: (number: string) => `To receipt ${number}`,
  collected: (id: string) =>
    `The money was collected with direct debit batch ${id}. If the bank returned it, import the bank statement.`,
  isCollected: (id: string) => `The donation is part of direct debit batch ${id}. Cancel the batch first.`,
  toCollection: (id: string) => `To direct debit batch ${id}`,
  ofEntry: 'The payment belongs to a bank transaction: unassign it there.',
  ofSharedEntry: 'The bank transaction is split between several donations: unassign it there.',
  toEntry: 'To the bank transaction',
  laterPayment: (amount: string, day: string) =>
    `A payment of ${amount}, ${day}, was recorded since. Remove it first, then this can be undone.`,
  hasPayments: (received: string) =>
    `${received} was received for this donation. Accept it, or record the refund first.`,
  isOver: (status: string) => `This donation is ${status}. Undo that first.`,
  meanwhile: 'This donation was changed by another user. Please review it again.',
  meanwhileSome: ['was changed by another user', 'were changed by another user'] as [string, string],
  andMore: (count: string) => `${count} more were refused.`
}

const de: typeof en = {
  undo: status => `Rückgängig: ${status}`,
  undoHint: (status, at, who) => `${status} seit ${at} (${who}).`,
  undoBank: 'Auch die Zuordnung des Umsatzes wird dann aufgehoben.',
  undone: (amount, name, reference, status) =>
    `Rückgängig gemacht: ${amount} von ${name} (${reference}). Status: ${status}.`,
  undoneSome: count => `${count} rückgängig gemacht.`,
  undoneNone: 'Nichts wurde rückgängig gemacht.',
  nothingToUndo: 'Es gibt nichts rückgängig zu machen.',
  stopped: 'Nichts wurde geändert.',
  certified: number =>
    `Die Zuwendungsbestätigung ${number} bescheinigt diese Spende. Ziehen Sie zuerst die Bestätigung zurück.`,
  toReceipt: number => `Zur Bestätigung ${number}`,
  collected: id =>
    `Das Geld wurde mit dem Lastschrifteinzug ${id} eingezogen. Hat die Bank es zurückgebucht, importieren Sie den Kontoauszug.`,
  isCollected: id => `Die Spende gehört zum Lastschrifteinzug ${id}. Stornieren Sie zuerst den Einzug.`,
  toCollection: id => `Zum Lastschrifteinzug ${id}`,
  ofEntry: 'Die Zahlung gehört zu einem Umsatz des Kontoauszugs: Heben Sie die Zuordnung dort auf.',
  ofSharedEntry: 'Der Umsatz ist auf mehrere Spenden verteilt: Heben Sie die Zuordnung dort auf.',
  toEntry: 'Zum Umsatz',
  laterPayment: (amount, day) =>
    `Seitdem wurde eine Zahlung über ${amount} vom ${day} gebucht. Entfernen Sie zuerst diese, dann kann das rückgängig gemacht werden.`,
  hasPayments: received =>
    `Für diese Spende sind ${received} eingegangen. Nehmen Sie den Betrag an, oder buchen Sie zuerst die Rückzahlung.`,
  isOver: status => `Diese Spende hat den Status „${status}“. Machen Sie das zuerst rückgängig.`,
  meanwhile: 'Diese Spende wurde inzwischen geändert. Bitte prüfen Sie sie erneut.',
  meanwhileSome: ['wurde inzwischen geändert', 'wurden inzwischen geändert'],
  andMore: count => `${count} weitere wurden abgelehnt.`
}

export const undoStrings: Record<Language, typeof en> = { en, de }
