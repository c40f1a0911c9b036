"""Libraries for the APIs of models, behind `oap proxy`: they have an address and a key, and never the token."""

import json
import os
import subprocess

from sandbox import SANDBOX, expect

import anthropic
import httpx
import openai

token = subprocess.run(
    ["oap", "exchange", "-n", "--grant", "client_credentials"], check=True, capture_output=True).stdout
subprocess.run(["oap", "store", "put", "model"], input=token, check=True, capture_output=True)
secret = json.loads(token)["access_token"]
proxy = subprocess.Popen(
    ["oap", "proxy", "model", "--allow", "* /echo/**", "--allow", "* /echo", "--deny", "DELETE /**"],
    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
try:
    place = json.loads(proxy.stdout.readline())
    bare = place["url"].replace("/" + place["key"], "")

    client = openai.OpenAI(base_url=bare, api_key=place["key"])
    echo = client.post("/echo", body={"model": "m"}, cast_to=object)
    expect(echo["method"] == "POST" and echo["json"] == {"model": "m"}, "openai with a key of its own")
    try:
        client.delete("/echo", cast_to=object)
        raise SystemExit("failed: a rule refuses DELETE")
    except openai.PermissionDeniedError as error:
        expect(error.response.headers["oap-error"] == "1", "openai sees that a rule refuses the request")

    client = anthropic.Anthropic(base_url=bare, api_key=place["key"])
    echo = client.post("/echo", body={"model": "m"}, cast_to=object)
    expect(echo["headers"]["authorization"] == "Bearer ***" and "x-api-key" not in echo["headers"],
           "anthropic, whose key is in a field of its own")

    with httpx.Client(base_url=place["url"]) as client:
        answer = client.post("/echo", content=(b"x" * 1000 for _ in range(50)))
        expect(answer.json()["body"] == "x" * 50000, "httpx with a key in its address, and content in chunks")
finally:
    proxy.terminate()
    proxy.wait(10)
lines = proxy.stderr.read()
expect(lines.count("\n") == 4 and secret not in lines and place["key"] not in lines, "the log has each request and no secret")
expect(secret not in json.dumps(place) and SANDBOX["client_secret"] not in json.dumps(place), "no secret is printed")
