"""The words of a text as a set: most patterns are tried only where one of their words is there."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile("[a-z]+")

SOFTWARE = frozenset(
    "ansible terraform pulumi puppet chef saltstack jenkins travis circleci buildkite teamcity bamboo slack "
    "teams zoom discord "
    "whatsapp telegram signal skype mattermost zulip notion confluence jira linear trello asana basecamp monday "
    "clickup "
    "airtable evernote obsidian onenote github gitlab bitbucket gitea svn mercurial perforce postgres postgresql "
    "mysql mariadb "
    "sqlite oracle mongodb mongo redis memcached cassandra dynamodb elasticsearch opensearch solr kafka rabbitmq "
    "nats pulsar "
    "heroku vercel netlify aws azure gcp digitalocean hetzner cloudflare fastly akamai react vue angular svelte "
    "ember jquery "
    "django flask fastapi rails laravel symfony spring express fastify nestjs nextjs nuxt python java javascript "
    "typescript "
    "rust go golang kotlin scala ruby php perl elixir erlang haskell swift docker podman kubernetes nomad helm "
    "argocd istio "
    "datadog grafana prometheus splunk loki sentry rollbar newrelic pagerduty opsgenie figma sketch photoshop "
    "illustrator "
    "canva excel quickbooks xero gmail outlook thunderbird protonmail fastmail dropbox onedrive spotify netflix "
    "tidal chrome "
    "firefox safari edge brave windows linux ubuntu debian fedora arch android ios macos vim neovim emacs vscode "
    "pycharm intellij "
    "webpack vite rollup parcel yarn npm pnpm bun poetry pip conda gradle maven bazel eslint prettier biome ruff "
    "black pytest jest "
    "cypress playwright selenium salesforce hubspot zendesk intercom stripe paypal shopify magento wordpress "
    "drupal snowflake "
    "databricks bigquery redshift airflow dagster prefect dbt looker tableau powerbi hadoop spark flink".split()
)
"""Names of programs and services: who moved from one to another did not move house."""

SCHOOLS = (
    r"(?:School|College|University|Uni|Primary|High|Academy|Elementary|Institute|Kindergarten|Nursery|Grammar|Middle|"
    r"Preschool|Polytechnic|Secondary)"
)
"""What the name of a school ends in."""

REPORTING = frozenset(
    "say says said claim claims claimed think thinks thought believe believes believed told tells asked asks wrote "
    "writes insist insists insisted assume assumes assumed joke jokes joked heard saying know wonder wonders wondered "
    "replied answered argue argues".split()
)
"""Verbs of what others say: without one of them nothing is reported."""


@lru_cache(maxsize=128)
def words_in(text: str) -> frozenset[str]:
    """The words of a text in lower case, cut at everything that is no letter: "i'd" has "i" and "d"."""
    return frozenset(_WORD.findall(text.lower()))


def has_any(text: str, keywords: frozenset[str]) -> bool:
    """Whether a text has one of these words."""
    return not keywords.isdisjoint(words_in(text))
