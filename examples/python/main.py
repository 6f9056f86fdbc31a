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
UPDATE = checked(
    """
    mutation ($input: UpdateResourceProviderInput!) {
      updateResourceProvider(input: $input) {
        ... on UpdateResourceProviderPayload {
          resourceProvider { traits { name } inventory(resourceClass: "VCPU") { available } }
        }
        ... on UserError { code message }
      }
    }
    """
)
TREE = checked(
    """
    query ($host: UUID!) {
      resourceProvider(by: { uuid: $host }) {
        name
        children { name inventories { resourceClass { name } available } }
      }
    }
    """
)
PAGE = checked(
    """
    query ($filter: ResourceProviderFilter!, $after: String) {
      resourceProviders(filter: $filter, orderBy: [], first: 1, after: $after) {
        nodes { name }
        pageInfo { hasNextPage endCursor }
      }
    }
    """
)
CANDIDATES = checked(
    """
    query ($request: AllocationCandidatesInput!) {
      allocationCandidates(request: $request, limit: 1) { allocationRequests { claimToken } }
    }
    """
)
CLAIM = checked(
    """
    mutation ($input: SetAllocationsInput!) {
      setAllocations(input: $input) {
        ... on SetAllocationsPayload { consumers { generation } }
        ... on UserError { code message }
      }
    }
    """
)
CHANGED = checked("subscription ($host: UUID!) { resourceProviderChanged(inTree: { uuid: $host }) { generation deleted } }")
RELEASE = checked("mutation ($consumer: UUID!) { deleteConsumer(input: { consumer: $consumer }) { __typename } }")
DELETE = checked("mutation ($provider: ProviderRef!) { deleteResourceProvider(input: { resourceProvider: $provider }) { __typename } }")

print(f"the schema has {len(SCHEMA.get_type('Query').fields)} queries")

host = str(uuid.uuid4())
changes = events(CHANGED, {"host": host})
next(changes)

created = execute(CREATE, {"input": {"name": "python-host", "uuid": host}})["createResourceProvider"]
print(created["__typename"])
again = execute(CREATE, {"input": {"name": "python-host"}})["createResourceProvider"]
print(again["code"])
assert "generation" in next(changes)["resourceProviderChanged"]

node = {"name": "python-numa"}
execute(CREATE, {"input": {**node, "parent": {"uuid": host}}})
next(changes)

# several edits of a provider in one transaction
edits = {"inventories": {"add": {"resourceClass": "VCPU", "total": 8}}, "traits": {"add": "HW_CPU_X86_AVX2"}}
updated = execute(UPDATE, {"input": {"resourceProvider": node, **edits}})["updateResourceProvider"]["resourceProvider"]
print(updated["traits"][0]["name"], updated["inventory"]["available"])
print("generation", next(changes)["resourceProviderChanged"]["generation"])

for child in execute(TREE, {"host": host})["resourceProvider"]["children"]:
    for inventory in child["inventories"]:
        print(child["name"], inventory["resourceClass"]["name"], inventory["available"])


def pages():
    """Yields the providers of the tree, page by page."""
    after = None
    while True:
        page = execute(PAGE, {"filter": {"inTree": {"uuid": host}}, "after": after})["resourceProviders"]
        yield from page["nodes"]
        if not page["pageInfo"]["hasNextPage"]:
            return
        after = page["pageInfo"]["endCursor"]


print("pages of one:", ", ".join(provider["name"] for provider in pages()))

# a candidate is claimed by its token
request = {"groups": {"resources": {"resourceClass": "VCPU", "amount": 2}, "inTree": {"uuid": host}}}
[candidate] = execute(CANDIDATES, {"request": request})["allocationCandidates"]["allocationRequests"]
consumer = {"consumer": str(uuid.uuid4()), "projectId": "examples", "userId": "python"}
claim = {"consumers": {**consumer, "allocations": {"claimToken": candidate["claimToken"]}}}
claimed = execute(CLAIM, {"input": claim})["setAllocations"]
print("claimed at generation", claimed["consumers"][0]["generation"])
print("generation", next(changes)["resourceProviderChanged"]["generation"])

execute(RELEASE, {"consumer": consumer["consumer"]})
next(changes)
execute(DELETE, {"provider": node})
print("deleted:", next(changes)["resourceProviderChanged"]["deleted"])
execute(DELETE, {"provider": {"uuid": host}})
changes.close()
