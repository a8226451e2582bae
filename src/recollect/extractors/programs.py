"""Programs and services by what they are for: who switched to one of a kind has left another of that kind. Pure."""

from __future__ import annotations

import re

_BY_KIND = {
    "automation": "ansible puppet chef saltstack",
    "infrastructure": "terraform pulumi opentofu",
    "ci": "jenkins travis circleci buildkite teamcity bamboo github-actions gitlab-ci",
    "chat": "slack teams discord mattermost zulip",
    "messenger": "whatsapp telegram signal",
    "calls": "zoom skype",
    "notes": "notion confluence evernote obsidian onenote",
    "tracker": "jira linear trello asana basecamp monday clickup youtrack redmine",
    "table": "airtable",
    "code host": "github gitlab bitbucket gitea forgejo",
    "version control": "svn mercurial perforce",
    "database": "postgres postgresql mysql mariadb sqlite oracle mongodb mongo cassandra dynamodb cockroachdb",
    "cache": "redis memcached valkey",
    "search": "elasticsearch opensearch solr meilisearch",
    "queue": "kafka rabbitmq nats pulsar",
    "platform": "heroku vercel netlify",
    "cloud": "aws azure gcp digitalocean hetzner linode ovh scaleway google-cloud",
    "cdn": "cloudflare fastly akamai",
    "frontend": "react vue angular svelte ember jquery",
    "backend": "django flask fastapi rails laravel symfony spring express fastify nestjs",
    "frontend server": "nextjs nuxt",
    "language": "python java javascript typescript rust go golang kotlin scala ruby php perl elixir erlang haskell "
    "swift",
    "containers": "docker podman",
    "orchestration": "kubernetes nomad",
    "deployment": "helm argocd",
    "mesh": "istio",
    "monitoring": "datadog prometheus newrelic",
    "dashboards": "grafana",
    "logs": "splunk loki",
    "errors": "sentry rollbar bugsnag",
    "paging": "pagerduty opsgenie",
    "design": "figma sketch",
    "graphics": "photoshop illustrator canva",
    "sheets": "excel",
    "accounting": "quickbooks xero freshbooks",
    "mail": "gmail outlook thunderbird protonmail fastmail",
    "files": "dropbox onedrive",
    "music": "spotify tidal deezer",
    "video": "netflix hulu disney+ disney-plus mubi prime-video hbo-max crunchyroll apple-tv+",
    "browser": "chrome firefox safari edge brave vivaldi",
    "system": "windows linux ubuntu debian fedora arch macos",
    "phone system": "android ios",
    "editor": "vim neovim emacs vscode vs-code pycharm intellij webstorm goland zed helix sublime-text",
    "bundler": "webpack vite rollup parcel esbuild",
    "packages": "yarn npm pnpm bun",
    "python packages": "poetry pip conda",
    "build": "gradle maven bazel",
    "javascript linter": "eslint biome",
    "linter": "ruff flake8 pylint",
    "formatter": "prettier black",
    "tests": "pytest jest unittest",
    "browser tests": "cypress playwright selenium",
    "crm": "salesforce hubspot pipedrive",
    "helpdesk": "zendesk intercom freshdesk",
    "payments": "stripe paypal adyen mollie braintree",
    "shop": "shopify magento woocommerce shopware prestashop",
    "cms": "wordpress drupal",
    "warehouse": "snowflake databricks bigquery redshift clickhouse",
    "workflows": "airflow dagster prefect",
    "transformation": "dbt",
    "reports": "looker tableau powerbi metabase",
    "big data": "hadoop spark flink",
    "identity": "okta auth0 keycloak",
    "vpn": "tailscale wireguard openvpn",
    "carrier": "dhl ups fedex dpd gls",
    "bank": "revolut n26 monzo starling barclays hsbc natwest lloyds santander nordea sparkasse commerzbank "
    "deutsche-bank bnp-paribas citibank wells-fargo bank-of-america rabobank abn-amro unicredit danske-bank dkb",
    "phone provider": "vodafone o2 telekom t-mobile verizon at&t telefonica giffgaff movistar telenor telia swisscom",
    "password manager": "1password lastpass bitwarden dashlane keepass keepassxc",
}
"""What each name stands for; a hyphen stands for a space."""


def _kinds() -> dict[str, str]:
    return {name.replace("-", " "): kind for kind, names in _BY_KIND.items() for name in names.split()}


KIND_OF = _kinds()
_FIRMS = ("carrier", "bank", "phone provider")
SOFTWARE = frozenset(name for name, kind in KIND_OF.items() if name.isalnum() and kind not in _FIRMS)
"""Names of programs and services: who moved from one to another did not move house."""
_VERSION = re.compile(r"[ -]v?\d[\w.]*$")


def kind_of_program(value: str) -> str:
    """What a program or service is for; empty where the name is none that is known."""
    name = _VERSION.sub("", value.casefold().strip())
    return KIND_OF.get(name) or KIND_OF.get(name.replace("-", " "), "")
