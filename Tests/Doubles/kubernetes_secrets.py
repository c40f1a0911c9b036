"""The Secrets of one namespace, `fleet`, and what the API of Kubernetes makes of changes to them, after its documentation
("Kubernetes API Concepts", the reference of Secret v1). Callers hold `changed`.
"""
import base64, copy, datetime, json, re, threading, uuid

SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
changed = threading.Condition()
secrets, events = {}, []
version = 10000


class Refusal(Exception):
    """A status; `name` is of the Secret that it is about, `field` what is invalid of it."""

    def __init__(self, code, reason, message, name=None, field=None, **headers):
        self.code, self.headers = code, headers
        self.body = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": message,
                     "reason": reason, "code": code}
        if name: self.body["details"] = {"name": name, "kind": "secrets"}
        if field:
            why = message.split(f"{field}: ", 1)[1]
            self.body["details"].update(kind="Secret", causes=[{"reason": "FieldValueInvalid", "message": why, "field": field}])


def note(kind, secret):
    events.append((int(secret["metadata"]["resourceVersion"]), kind, copy.deepcopy(secret)))
    changed.notify_all()


def store(secret, kind):
    """Gives a Secret its next version."""
    global version
    version += 1
    secret["metadata"]["resourceVersion"] = str(version)
    if kind == "DELETED": secrets.pop(secret["metadata"]["name"])
    else: secrets[secret["metadata"]["name"]] = secret
    note(kind, secret)
    return secret


def checked(secret, name):
    """A Secret as a client sends it, its `stringData` merged."""
    secret = copy.deepcopy(secret)
    metadata = secret.setdefault("metadata", {})
    if not SUBDOMAIN.fullmatch(name) or len(name) > 253:
        raise Refusal(422, "Invalid", f'Secret "{name}" is invalid: metadata.name: Invalid value', name, "metadata.name")
    if metadata.get("namespace", "fleet") != "fleet" or metadata.get("name") != name:
        raise Refusal(400, "BadRequest", "the name of the object does not match the name on the URL")
    data = dict(secret.get("data") or {})
    for key, value in (secret.pop("stringData", None) or {}).items():
        data[key] = base64.b64encode(value.encode()).decode()
    for value in data.values():
        try: base64.b64decode(value, validate=True)
        except ValueError: raise Refusal(400, "BadRequest", "illegal base64 data at input byte 0")
    if len(json.dumps(data)) > 1.4 * 2**20: raise Refusal(422, "Invalid", "data: Too long", name, "data")
    secret.pop("data", None)
    if data: secret["data"] = data
    secret.setdefault("type", "Opaque")
    secret.update(kind="Secret", apiVersion="v1")
    metadata["namespace"] = "fleet"
    return secret


def found(name):
    if name not in secrets: raise Refusal(404, "NotFound", f'secrets "{name}" not found', name)
    return secrets[name]


def conflict(name, why="the object has been modified; please apply your changes to the latest version and try again"):
    return Refusal(409, "Conflict", f'Operation cannot be fulfilled on secrets "{name}": {why}', name)


def create(secret):
    name = secret.get("metadata", {}).get("name", "")
    secret = checked(secret, name)
    if secret["metadata"].get("resourceVersion"):
        raise Refusal(400, "BadRequest", "resourceVersion should not be set on objects to be created")
    if name in secrets: raise Refusal(409, "AlreadyExists", f'secrets "{name}" already exists', name)
    now = datetime.datetime.utcnow().strftime("%Y-%m-%dT%H:%M:%SZ")
    secret["metadata"].update(uid=str(uuid.uuid4()), creationTimestamp=now, managedFields=[
        {"manager": "double", "operation": "Update", "apiVersion": "v1", "time": now, "fieldsType": "FieldsV1"}])
    return store(secret, "ADDED")


def update(name, secret):
    old = found(name)
    secret = checked(secret, name)
    metadata, kept = secret["metadata"], old["metadata"]
    if metadata.get("uid", kept["uid"]) != kept["uid"]: raise conflict(name, "Precondition failed: UID in precondition")
    # Without a version it replaces whatever is there.
    if metadata.get("resourceVersion", kept["resourceVersion"]) != kept["resourceVersion"]: raise conflict(name)
    if old.get("immutable") and (secret.get("data") != old.get("data") or not secret.get("immutable")):
        why = "data: Forbidden: field is immutable when `immutable` is set"
        raise Refusal(422, "Invalid", f'Secret "{name}" is invalid: {why}', name, "data")
    for member in ("uid", "creationTimestamp", "managedFields", "resourceVersion"): metadata[member] = kept[member]
    return old if secret == old else store(secret, "MODIFIED")


def delete(name, options):
    old = found(name)
    for member, value in ((options or {}).get("preconditions") or {}).items():
        if old["metadata"][member] != value: raise conflict(name, f"Precondition failed: {member}")
    store(copy.deepcopy(old), "DELETED")
    return {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success",
            "details": {"name": name, "kind": "secrets", "uid": old["metadata"]["uid"]}}


def merged(target, patch):
    """RFC 7396."""
    if not isinstance(patch, dict): return patch
    target = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None: target.pop(key, None)
        else: target[key] = merged(target.get(key), value)
    return target


def selected(query):
    def fits(secret):
        metadata = secret["metadata"]
        for part in filter(None, query.get("labelSelector", "").split(",")):
            key, _, value = part.partition("=")
            if metadata.get("labels", {}).get(key) != value.lstrip("="): return False
        return all(metadata["name"] == part.split("=")[-1] for part in filter(None, query.get("fieldSelector", "").split(",")))
    return fits
