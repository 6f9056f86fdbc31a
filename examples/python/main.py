"""Python with graphql-core and the standard library: documents are checked against the server's schema before they are sent."""

import json
import os
import uuid
from urllib.request import Request, urlopen

from graphql import build_client_schema, parse, print_ast, validate

try:
    from graphql import get_introspection_query
except ImportError:  # graphql-core 2, which Debian 12 has
    from graphql import introspection_query as INTROSPECTION
else:
    INTROSPECTION = get_introspection_query(specified_by_url=True)

SERVER = os.environ.get("PLACEMENT_URL", "http://127.0.0.1:4000/graphql")


def post(query: str, variables: dict | None = None, accept: str = "application/json"):
    """Sends a document and returns the open response."""
    headers = {"content-type": "application/json", "accept": accept}
    if token := os.environ.get("PLACEMENT_TOKEN"):
        headers["authorization"] = f"Bearer {token}"
    body = json.dumps({"query": query, "variables": variables}).encode()
    return urlopen(Request(SERVER, body, headers))


def execute(document, variables: dict | None = None) -> dict:
    """Returns the data of an answer. Errors of the request are raised; rejections of a mutation are data."""
    with post(print_ast(document), variables) as response:
        answer = json.load(response)
    if errors := answer.get("errors"):
        raise RuntimeError("; ".join(f"{error['extensions']['code']}: {error['message']}" for error in errors))
    return answer["data"]


def events(document, variables: dict | None = None):
    """Yields the data of each event of a subscription. Lines with only a colon keep the connection open."""
    with post(print_ast(document), variables, "text/event-stream") as response:
        yield None  # the stream is open: it misses no later commit
        for line in response:
            if line.startswith(b"data: {"):
                yield json.loads(line.removeprefix(b"data: "))["data"]


with post(INTROSPECTION) as response:
    SCHEMA = build_client_schema(json.load(response)["data"])


def checked(text: str):
    """Parses a document, and exits if it does not fit the schema."""
    document = parse(text)
    if errors := validate(SCHEMA, document):
        raise SystemExit("\n".join(map(str, errors)))
    return document


CREATE = checked(
    """
    mutation ($input: CreateResourceProviderInput!) {
      createResourceProvider(input: $input) {
        __typename
        ... on CreateResourceProviderPayload { resourceProvider { name generation } }
        ... on UserError { code message }
      }
    }
    """
)
OFFER = checked(
    """
    mutation ($input: UpdateResourceProviderInput!) {
      updateResourceProvider(input: $input) {
        ... on UpdateResourceProviderPayload { resourceProvider { inventory(resourceClass: "VCPU") { available } } }
        ... on UserError { code message }
      }
    }
    """
)
CHANGED = checked("subscription ($host: UUID!) { resourceProviderChanged(inTree: { uuid: $host }) { generation deleted } }")
DELETE = checked("mutation ($host: UUID!) { deleteResourceProvider(input: { resourceProvider: { uuid: $host } }) { __typename } }")

print(f"the schema has {len(SCHEMA.get_type('Query').fields)} queries")

host = str(uuid.uuid4())
changes = events(CHANGED, {"host": host})
next(changes)

created = execute(CREATE, {"input": {"name": "python-host", "uuid": host}})["createResourceProvider"]
print(created["__typename"])
again = execute(CREATE, {"input": {"name": "python-host"}})["createResourceProvider"]
print(again["code"])
assert "generation" in next(changes)["resourceProviderChanged"]

inventory = {"resourceClass": "VCPU", "total": 8}
edits = {"inventories": {"add": inventory}, "traits": {"add": "COMPUTE_NODE"}}
offered = execute(OFFER, {"input": {"resourceProvider": {"uuid": host}, **edits}})
print(offered["updateResourceProvider"]["resourceProvider"]["inventory"]["available"], "VCPU are free")
print("generation", next(changes)["resourceProviderChanged"]["generation"])

execute(DELETE, {"host": host})
print("deleted:", next(changes)["resourceProviderChanged"]["deleted"])
changes.close()
