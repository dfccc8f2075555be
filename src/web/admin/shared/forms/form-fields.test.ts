import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { Type } from 'typebox'
import { Nullable } from '#platform/http/nullable.ts'
import { type FieldGroups, type FieldInput, type TextKey, withLimits } from './field-definition.ts'
import { FormFields, type FormFieldsProps } from './form-fields.tsx'
import { getLabels, getLabelsByPath, newInput, parseInput, toBody, toInput, toNamedErrors } from './form-input.ts'

const strings = { name: 'Name', nameHint: 'As in the register', story: 'Story', amount: 'Amount', other: 'Other' }

const schema = Type.Object({
  name: Type.String({ maxLength: 200 }),
  description: Type.Optional(Nullable(Type.String({ maxLength: 20_000 }))),
  account: Type.Optional(Nullable(Type.Object({ iban: Type.String({ maxLength: 60 }) }))),
  years: Type.Optional(Type.Integer({ minimum: 6, maximum: 30 })),
  day: Type.String({ maxLength: 10 })
})

const fields = withLimits(schema, {
  text: [
    { name: 'name', label: 'name', hint: 'nameHint', isTranslated: true, required: true },
    { name: 'story', kind: 'lines', path: 'description', label: 'story', isTranslated: true }
  ],
  more: [
    [
      { name: 'iban', path: 'account/iban', label: 'other', maxLength: 34 },
      { name: 'years', kind: 'number', label: 'other', emptyValue: undefined }
    ],
    { name: 'day', kind: 'date', label: 'other', emptyValue: null },
    { name: 'target', kind: 'amount', path: 'targetAmount', label: 'amount', initial: '0' },
    { name: 'latitude', kind: 'decimal', label: 'other', emptyValue: null },
    { name: 'isOpen', kind: 'checkbox', label: 'other' },
    { name: 'excerpt', kind: 'paragraphs', label: 'other' },
    { name: 'slug', kind: 'slug', label: 'other', isTranslated: true },
    { name: 'status', kind: 'select', label: 'other', initial: 'draft' },
    { name: 'time', kind: 'time', path: null, label: 'other' }
  ],
  image: [{ name: 'image', kind: 'image', label: 'other', emptyValue: null }]
} as const satisfies FieldGroups<TextKey<typeof strings>>)

const empty: FieldInput<typeof fields> = {
  name: '',
  story: '',
  iban: '',
  years: '',
  day: '',
  target: '',
  latitude: '',
  isOpen: '',
  excerpt: '',
  slug: '',
  status: '',
  time: '',
  image: ''
}
const saved = {
  language: 'en',
  name: 'Roof',
  description: null,
  account: { iban: 'DE89' },
  years: 10,
  day: '2027-01-02',
  targetAmount: 1250.5,
  latitude: 50.5,
  isOpen: true,
  excerpt: '<p>Salt &amp; pepper</p>',
  slug: 'd%C3%A4cher',
  status: 'open',
  image: { id: 7 }
}

test('a new form has the initial values', () => {
  assert.deepEqual(newInput(fields), { ...empty, target: '0', status: 'draft' })
})

test('a saved object is converted to input by the kind of each field, in the language of the user', () => {
  const shown = {
    ...empty,
    name: 'Roof',
    iban: 'DE89',
    years: '10',
    day: '2027-01-02',
    target: '1250.50',
    latitude: '50.5',
    isOpen: 'yes',
    excerpt: 'Salt & pepper',
    slug: 'dächer',
    status: 'open',
    image: '7'
  }
  assert.deepEqual(toInput({ language: 'en' }, fields, saved), shown)
  assert.equal(toInput({ language: 'de' }, fields, saved).target, '1250,50')
  assert.deepEqual(toInput({ language: 'en' }, fields, { ...saved, account: null, image: false }).iban, '')
})

test('a translated field is empty if the saved text is in another language than the edited one', () => {
  const shown = toInput({ language: 'en' }, fields, saved, 'de')
  assert.deepEqual([shown.name, shown.slug, shown.iban], ['', '', 'DE89'])
  assert.equal(toInput({ language: 'en' }, fields, saved, 'en').name, 'Roof')
})

test('form input is normalized, and unknown fields are left out', () => {
  const form = {
    name: ' Roof ',
    story: 'one\r\ntwo',
    time: '18:30:00',
    isOpen: 'on',
    image: 'no id',
    unknown: 'x',
    status: ['open', 'closed']
  }
  const input = parseInput({ form }, fields)
  assert.deepEqual(input, { ...empty, name: 'Roof', story: 'one\ntwo', time: '18:30', isOpen: 'yes' })
})

test('the body has the names and types of the API', () => {
  const input = { ...empty, ...toInput({ language: 'de' }, fields, saved), latitude: '50,5', time: '18:30' }
  assert.deepEqual(toBody({ language: 'de' }, fields, input), {
    errors: {},
    body: {
      name: 'Roof',
      description: '',
      account: { iban: 'DE89' },
      years: 10,
      day: '2027-01-02',
      targetAmount: '1250.50',
      latitude: '50.5',
      isOpen: true,
      excerpt: 'Salt &amp; pepper',
      slug: 'dächer',
      status: 'open',
      image: 7
    }
  })
})

test('an empty field is sent as empty text, as the value of its definition, or not at all', () => {
  const { body } = toBody({ language: 'en' }, fields, empty)
  assert.deepEqual([body.name, body.day, body.latitude, body.image, body.isOpen], ['', null, null, null, false])
  assert.equal('years' in JSON.parse(JSON.stringify(body)), false)
})

test('an invalid amount is an error of its field', () => {
  const { body, errors } = toBody({ language: 'en' }, fields, { ...empty, target: 'much' })
  assert.deepEqual(Object.keys(errors), ['target'])
  assert.match(errors.target ?? '', /“much” is not an amount/)
  assert.equal('targetAmount' in body, false)
})

test('errors of the API are shown at their field, with its label', () => {
  const errors = toNamedErrors(
    fields,
    strings,
    {
      name: 'name must not be empty',
      description: 'description is too long',
      'account/iban': 'account.iban must be an IBAN',
      'status/0': 'status.0 must be known',
      elsewhere: 'elsewhere is wrong',
      day: 'day must be a date'
    },
    { day: 'Please enter a day.', targetAmount: 'not shown' }
  )
  assert.deepEqual(errors, {
    name: 'Name must not be empty',
    story: 'Story is too long',
    iban: 'Other must be an IBAN',
    status: 'status.0 must be known',
    elsewhere: 'elsewhere is wrong',
    day: 'Please enter a day.'
  })
})

test('labels are found by name and by path', () => {
  assert.deepEqual(Object.keys(getLabels(fields, strings)), Object.keys(empty))
  const { description, 'account/iban': iban } = getLabelsByPath(fields, strings)
  assert.deepEqual([description, iban], ['Story', 'Other'])
  assert.equal(Object.keys(getLabelsByPath(fields, strings)).length, Object.keys(empty).length - 1)
})

const render = (more: Partial<FormFieldsProps<(typeof fields)['text' | 'more']>> = {}) =>
  renderToString(
    h(FormFields, {
      context: { language: 'en' },
      strings,
      fields: [...fields.text, ...fields.more],
      input: { ...empty, name: 'Roof', isOpen: 'yes', status: 'b' },
      errors: { iban: 'Other must be an IBAN' },
      language: 'de',
      ...more
    } as FormFieldsProps<typeof fields.more>)
  )
const findTag = (html: string, name: string) =>
  new RegExp(`<(?:input|textarea|select)[^>]*name="${name}"[^>]*>`).exec(html)?.[0] ?? ''

test('limits come from the schema of the API, unless the definition has its own', () => {
  const html = render()
  assert.match(findTag(html, 'name'), /maxlength="200"/i)
  assert.match(findTag(html, 'story'), /maxlength="20000"/i)
  assert.match(findTag(html, 'iban'), /maxlength="34"/i)
  assert.match(findTag(html, 'years'), /type="number".*min="6" max="30"/)
  assert.doesNotMatch(findTag(html, 'day'), /maxlength/i, 'a date field needs no maxlength')
})

test('a field is shown with label, hint, error and language', () => {
  const html = render({
    overrides: { status: { options: [{ value: 'b', label: 'B' }] }, name: { hint: 'Another hint' } }
  })
  assert.match(html, /<label for="field-name">Name<\/label>/)
  assert.match(html, /<p class="hint" id="field-name-hint">Another hint<\/p>/)
  assert.match(findTag(html, 'name'), /required.*lang="de"/)
  assert.match(findTag(html, 'iban'), /aria-describedby="field-iban-error"/)
  assert.match(html, /<p class="field-error" id="field-iban-error">Other must be an IBAN<\/p>/)
  assert.match(findTag(html, 'isOpen'), /type="checkbox".*checked/)
  assert.match(html, /<option value="b" selected>B<\/option>|<option selected value="b">B<\/option>/)
  assert.equal(html.match(/class="field-row"/g)?.length, 1)
  assert.doesNotMatch(findTag(html, 'iban'), /lang=/)
})

test('a translated text can be copied from the other language, except a slug', () => {
  const html = render({ other: { name: 'Dach', story: '', slug: 'dach' } })
  assert.deepEqual(
    [...html.matchAll(/data-copy-into="(\w+)" data-text="(\w+)"/g)].map(([, name, text]) => [name, text]),
    [['name', 'Dach']]
  )
})

test('a field kind that needs its own component is not rendered as a text field', () => {
  assert.throws(() => render({ fields: fields.image as never }), /The page has to show the field image itself/)
})
