/** Folder in which deploy/city-climate-fund.service expects the program. */
export const PROGRAM_FOLDER = '/opt/city-climate-fund';
/** Default folder for the settings and the data. */
export const DEFAULT_FOLDER = '/srv/fund';

/**
 * The remaining manual steps on a machine with systemd and Caddy.
 * @param releaseFolder the folder of the release
 */
export function formatServiceSteps(folder: string, releaseFolder: string, publicUrl: string): string {
  const appFolder = releaseFolder.replace(/\/$/, '');
  const link = appFolder === PROGRAM_FOLDER ? [] : [`ln -sfn ${appFolder} ${PROGRAM_FOLDER}`];
  const unit = '/etc/systemd/system/city-climate-fund.service';
  const shippedUnit = `${PROGRAM_FOLDER}/deploy/city-climate-fund.service`;
  const commands = [
    `useradd --system --home-dir ${folder} --shell /usr/sbin/nologin fund`,
    `chown -R fund: ${folder}`,
    ...link,
    `ln -sf ${PROGRAM_FOLDER}/fund /usr/local/bin/fund`,
    folder === DEFAULT_FOLDER
      ? `cp ${shippedUnit} ${unit}`
      : `sed 's#${DEFAULT_FOLDER}#${folder}#g' ${shippedUnit} > ${unit}`,
    'systemctl enable --now city-climate-fund',
    `sed 's#{$PUBLIC_URL}#${publicUrl}#' ${PROGRAM_FOLDER}/deploy/Caddyfile > /etc/caddy/Caddyfile && systemctl reload caddy`,
  ];
  return `Next, as root:

${commands.map((command) => `  ${command}`).join('\n')}

Then test all settings again: cd ${folder} && fund doctor
Open ${publicUrl}/admin and log in as the first admin. ${PROGRAM_FOLDER}/docs/first-start.md continues from there.`;
}

/** The remaining steps with deploy/compose.yaml. */
export function formatComposeSteps(publicUrl: string): string {
  return `Next, in the folder of compose.yaml:

  docker compose up -d --build
  docker compose exec app /app/bin/node /app/scripts/fund.mjs doctor

Then open ${publicUrl}/admin and log in as the first admin. docs/first-start.md continues from there.`;
}
