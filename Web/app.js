// Starts what every page has, then what this page has. Without scripts the pages are complete, but stand still.
import { startClock } from "./clock.js";
import { startCompare } from "./compare.js";
import { startDocs } from "./docs.js";
import { decorate } from "./dom.js";
import { startFaults } from "./faults.js";
import { startFinder } from "./finder.js";
import { startFlow, startFlows } from "./flows.js";
import { startHome } from "./home.js";
import { startJournal } from "./journal.js";
import { startKeys } from "./keys.js";
import { startMail } from "./mail.js";
import { startOutbox } from "./outbox.js";
import { startFramed, startPane } from "./pane.js";
import { startPhone, startPhones } from "./phones.js";
import { startMint } from "./mint.js";
import { startRecord, startRecords } from "./records.js";
import { startTime } from "./time.js";
import { startTransaction, startTransactions } from "./transactions.js";
import { startMenu, startWorlds } from "./worlds.js";

const pages = {
  home: startHome, outbox: startOutbox, mail: startMail, transactions: startTransactions, transaction: startTransaction, devices: startRecords,
  record: startRecord, phones: startPhones, phone: startPhone, faults: startFaults,
  flows: startFlows, flow: startFlow, docs: startDocs,
  journal: startJournal, worlds: startWorlds, time: startTime, mint: startMint, compare: startCompare,
};
const page = document.querySelector("[data-page]");

startFramed();
// First, as lists remember how the server drew them.
pages[page.dataset.page]?.(page);
decorate(document);
startKeys();
startPane(page);
startFinder();
startMenu();
startClock();
