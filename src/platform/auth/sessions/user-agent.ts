/** Browser and system under their common names; null if the user agent does not name them. */
export interface Device {
  browser: string | null
  system: string | null
}

/** The order matters: many browsers also contain the names of others. */
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

/** No browser sends a longer one. */
const lengthMax = 1000

/** Extracts two names from a user agent: enough to recognise one's own device, too little to identify a person. */
export function parseUserAgent(text = ''): Device {
  const start = text.slice(0, lengthMax)
  const nameIn = (list: [pattern: RegExp, name: string][]) => list.find(([pattern]) => pattern.test(start))?.[1] ?? null
  return { browser: nameIn(browsers), system: nameIn(systems) }
}
