import { showCampaign } from './campaign.ts'
import { defineElement } from './element.ts'
import { showEvents } from './events.ts'
import { resizeFrames } from './frames.ts'

/**
 * Version 1 of our elements for other sites, at a stable URL: names, attributes, parts, properties and events are never
 * removed; breaking changes go into the next version.
 */
const home = new URL(import.meta.url).origin

defineElement('kalends-events', home, showEvents)
defineElement('kalends-campaign', home, showCampaign)
resizeFrames(home)
