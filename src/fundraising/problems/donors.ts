import { newFieldProblem, Problem } from '#platform/problem.ts'

export const newDonorNotFoundProblem = () =>
  new Problem(404, 'donor-not-found', { en: 'Donor not found.', de: 'Spender/-in nicht gefunden.' })

/** The donor that a body names. */
export const newOtherDonorNotFoundProblem = () =>
  newFieldProblem(422, '/donorId', 'donor-not-found', {
    en: 'donorId: no donor has this id.',
    de: 'donorId: Diese Kennung gehört zu keiner Spenderin und keinem Spender.'
  })

export const newSameDonorProblem = () =>
  new Problem(409, 'same-donor', {
    en: 'These are already one donor.',
    de: 'Das ist bereits dieselbe Person.'
  })

export const newMergeNotFoundProblem = () =>
  new Problem(404, 'merge-not-found', { en: 'Merge not found.', de: 'Zusammenführung nicht gefunden.' })

export const newMergeUndoneProblem = () =>
  new Problem(409, 'merge-is-undone', {
    en: 'This merge was already undone.',
    de: 'Diese Zusammenführung wurde bereits rückgängig gemacht.'
  })

export const newMergeSupersededProblem = () =>
  new Problem(409, 'merge-superseded', {
    en: 'These donors were merged with another one later. Undo the later merge first.',
    de: 'Diese Personen wurden später mit einer weiteren zusammengeführt. Machen Sie zuerst die spätere Zusammenführung rückgängig.'
  })

export const newMergedDonorErasedProblem = () =>
  new Problem(409, 'merged-donor-erased', {
    en: 'The personal data of the merged donor was erased, so the merge cannot be undone.',
    de: 'Die Personendaten der zusammengeführten Person wurden gelöscht; die Zusammenführung kann nicht rückgängig gemacht werden.'
  })

export const newLetterNotFoundProblem = () =>
  new Problem(404, 'letter-not-found', { en: 'Letter not found.', de: 'Brief nicht gefunden.' })

export const newNoLetterToPrintProblem = () =>
  new Problem(404, 'no-letters-to-print', {
    en: 'No letters were written for this year.',
    de: 'Für dieses Jahr wurden keine Briefe geschrieben.'
  })

export const newLetterTextNotFoundProblem = () =>
  new Problem(404, 'letter-text-not-found', {
    en: 'Letters have texts in English (en) and German (de).',
    de: 'Briefe haben Texte auf Englisch (en) und Deutsch (de).'
  })

export const newNothingReceivedProblem = (year: number) =>
  new Problem(422, 'nothing-received', {
    en: `No money was received from this donor in ${year}.`,
    de: `Von dieser Person ist im Jahr ${year} kein Geld eingegangen.`
  })

export const newLetterAddressMissingProblem = () =>
  new Problem(422, 'address-missing', {
    en: 'A letter needs the postal address of the donor. Add it to one of the donations.',
    de: 'Für einen Brief fehlt die Anschrift. Ergänzen Sie sie bei einer der Spenden.'
  })

export const newLetterSenderMissingProblem = () =>
  new Problem(409, 'letter-sender-missing', {
    en: 'A letter needs the name and the address of the organisation (PATCH /organisation).',
    de: 'Für einen Brief fehlen Name oder Anschrift der Organisation (PATCH /organisation).'
  })

export const newLetterNotPrintableProblem = (characters: string[]) =>
  new Problem(
    422,
    'letter-not-printable',
    {
      en: `The letter has characters that cannot be printed: ${characters.join(' ')}`,
      de: `Der Brief enthält Zeichen, die nicht gedruckt werden können: ${characters.join(' ')}`
    },
    { data: { characters } }
  )
