// Malformed and malicious values for URLs, forms and cookies of pages.

/** Texts that take effect if they are not escaped: as markup, script, URL, formula or the end of an attribute. */
export const payloads = [
  `"><img src=x onerror=steal()>`,
  `</script><script>steal()</script>`,
  `</title></textarea><svg onload=steal()>`,
  `'" autofocus onfocus=steal() x='`,
  `javascript:steal()//`,
  `<!--<iframe srcdoc='<script>steal()</script>'>`,
  `=HYPERLINK("https://evil.example","x")`
]

/** Several of them in one text. */
export const payload = payloads.slice(0, 4).join(' ')

const huge = 'a'.repeat(8192)

/** Values of a parameter, encoded for the URL. */
export const parameterValues = [
  '',
  '0',
  '-1',
  '1.5',
  '1e9',
  '99999999999999999999',
  'NaN',
  'true',
  '2027-02-30',
  '2027-13',
  '0000-00',
  '0000-00-00',
  '1000000000-01',
  '-2027-02',
  '9999-12-31',
  '%00',
  '%',
  '%zz',
  '%ff%fe',
  '%ed%a0%80',
  '%d9%85%d8%af%e2%80%ae%d8%b1',
  `%27%20or%20%271%27=%271%27;--`,
  '..%2f..%2fetc%2fpasswd',
  '%2f%2fevil.example',
  'https:%2f%2fevil.example',
  '%0d%0aset-cookie:%20a=b',
  'constructor',
  '__proto__',
  'toString',
  huge,
  ...payloads.map(encodeURIComponent)
]

/** A parameter in unexpected notations. */
export const listParameterShapes = (name: string) => [
  `${name}[]=1&${name}[]=2`,
  `${name}[a]=1`,
  `${name}[__proto__]=1`,
  `${name}=1&${name}=2`,
  `${name}`,
  `${name}[0][0][0][0][0][0][0][0][0][0][0][0]=1`,
  `__proto__[${name}]=1&constructor[prototype]=1`
]

/** Values of a form field, not encoded. */
export const fieldValues = [
  '',
  ' ',
  '-1',
  '1e999',
  '99999999999999999999',
  '2027-02-30',
  '0000-00-00T99:99',
  '+1000000-01-01T00:00',
  'line\r\nSet-Cookie: a=b',
  '\u0000',
  '\u202egnp.exe',
  '//evil.example',
  '?/\\evil.example',
  '__proto__',
  `' or '1'='1';--`,
  '☃ W/"1"',
  huge,
  ...payloads
]

/** Bodies that are no valid forms. */
export const brokenForms: { what: string; type: string | undefined; body: string }[] = [
  { what: 'empty', type: 'application/x-www-form-urlencoded', body: '' },
  { what: 'only punctuation', type: 'application/x-www-form-urlencoded', body: '&&==&%&%zz=%&[]=&[a]=1' },
  { what: 'not UTF-8', type: 'application/x-www-form-urlencoded', body: 'a=%ff&%fe=1' },
  { what: 'a prototype', type: 'application/x-www-form-urlencoded', body: '__proto__[a]=1' },
  { what: 'deep', type: 'application/x-www-form-urlencoded', body: `a${'[a]'.repeat(200)}=1` },
  { what: 'JSON', type: 'application/json', body: '{"_token":1}' },
  { what: 'text', type: 'text/plain', body: '_token=1' },
  { what: 'without a type', type: undefined, body: '_token=1' },
  { what: 'a multipart form without a boundary', type: 'multipart/form-data', body: '--x' },
  { what: 'an unfinished multipart form', type: 'multipart/form-data; boundary=x', body: '--x\r\n' },
  { what: 'too large', type: 'application/x-www-form-urlencoded', body: `a=${'a'.repeat(13_000_000)}` }
]

/** Redirect targets that must be refused. */
export const foreignUrls = [
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  'https:evil.example',
  'https://evil.example/admin',
  'javascript:steal()',
  '/admin/../..//evil.example',
  '/admin\r\nSet-Cookie: a=b',
  '/admin@evil.example',
  '/admin.evil.example',
  '/admin/\t/evil.example',
  ' //evil.example',
  `/admin?${huge}`
]

/** Values of the session cookie that belong to no session. */
export const forgedSessions = [
  '',
  'x',
  '%',
  '%00',
  '%0d%0ax:y',
  '%e2%98%83',
  'kls_0000000000_00000000000000000000000000000000',
  'null',
  '__proto__',
  huge
]

/** Flash messages forged by an attacker who can set cookies from a sibling domain. */
export const forgedNotices = [
  null,
  7,
  [],
  {},
  { text: 7 },
  { text: { a: 1 } },
  { text: payload, tone: payload },
  { text: 'x', undo: null },
  { text: 'x', undo: 7 },
  { text: 'x', undo: {} },
  { text: 'x', undo: { action: 'https://evil.example', fields: {} } },
  { text: 'x', undo: { action: '//evil.example', fields: {} } },
  { text: 'x', undo: { action: 'javascript:steal()', fields: {} } },
  { text: 'x', undo: { action: '/admin/sign-out', fields: null } },
  { text: 'x', undo: { action: '/admin/sign-out', fields: { a: { b: 1 } } } },
  { text: 'x', undo: { action: { a: 1 }, fields: { [payload]: payload } } },
  { text: { type: 'img', props: { src: 'x', onerror: 'steal()' }, constructor: null, __v: 1 } },
  { text: 'a'.repeat(3000) }
].map(notice => encodeURIComponent(JSON.stringify(notice)))

export const brokenNotices = ['%', '%00', '{', '"', '%7B%22text%22', huge]
