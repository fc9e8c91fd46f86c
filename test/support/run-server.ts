import { readConfig } from '#server/config.ts';
import { closeOnSignals, serve } from '#server/main.ts';

// Runs the program in its own process with the pages in WEB_FOLDER.
closeOnSignals(await serve(readConfig(), { webFolder: process.env.WEB_FOLDER }));
