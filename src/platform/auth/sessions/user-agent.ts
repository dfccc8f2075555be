/** What somebody uses, by the names that they know it by; null where it does not say so. */
export interface Device {
  browser: string | null
  system: string | null
}

/** In this order: many browsers also call themselves by the names of others. */
const browsers: [pattern: RegExp, name: string][] = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bCriOS\/|\b(?:Headless)?Chrome\/|\bChromium\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl']
]

const systems: [pattern: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b|\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b|\bX11\b/, 'Linux']
]

/** Longer ones are no browser's. */
const lengthMax = 1000

/** Two words out of a user agent: enough to recognise one's own device, too little to recognise a person. */
export function parseUserAgent(text = ''): Device {
  const start = text.slice(0, lengthMax)
  const nameIn = (list: [pattern: RegExp, name: string][]) => list.find(([pattern]) => pattern.test(start))?.[1] ?? null
  return { browser: nameIn(browsers), system: nameIn(systems) }
}
