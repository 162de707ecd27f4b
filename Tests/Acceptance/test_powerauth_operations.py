"""PowerAuth's operations on the phone: what it sees, what it may approve, and how each other case is answered."""

import pytest

from powerauth_answers import checked
from powerauth_mobile_token import MobileToken

UNAUTHENTICATED = 401, "POWERAUTH_AUTH_FAIL"
WRONG = "00000"


def test_newest_first(mobile, start_operation):
    started = [start_operation() for _ in range(3)]
    assert mobile.ids() == started[::-1]
    assert [one["id"] for one in mobile.history()] == started[::-1]


def test_a_token_of_any_strength_and_a_request_object_will_do(mobile, start_operation):
    operation = start_operation()
    for factors in ("possession", "possession_knowledge", "possession_biometry"):
        mobile._token = mobile.device.create_token(factors)
        assert [one["id"] for one in mobile._operations("/list", {})] == mobile.ids() == [operation]


@pytest.mark.parametrize("end, code", [
    ("approve", "OPERATION_ALREADY_FINISHED"), ("reject", "OPERATION_ALREADY_FINISHED"), ("cancel", "OPERATION_ALREADY_CANCELED"),
    ("fail", "OPERATION_ALREADY_FAILED"), ("expire", "OPERATION_EXPIRED")])
def test_an_operation_that_is_over_says_how_it_ended(world, backend, refused, mobile, start_operation, end, code):
    identifier = start_operation()
    shown = mobile.operation(identifier)
    match end:
        case "approve":
            mobile.authorize(shown)
        case "reject":
            mobile.reject(identifier)
        case "cancel":
            backend.cancel(identifier)
        case "fail":
            for _ in range(4):
                with refused(401, "OPERATION_FAILED"):
                    mobile.authorize(shown | {"data": "A2*Nothing"})
            with refused(400, "OPERATION_ALREADY_FAILED"):
                mobile.authorize(shown | {"data": "A2*Nothing"})
        case "expire":
            world.advance(301)
    ended = backend.operation(identifier)
    if end == "fail":
        assert (ended["status"], ended["failureCount"]) == ("FAILED", 5) and "timestampFinalized" in ended
    if end == "expire":
        assert ended["status"] == "EXPIRED" and "timestampFinalized" not in ended
        mobile.device.synchronise_clock()
    assert mobile.operations() == []

    for action in (lambda: mobile.operation(identifier), lambda: mobile.claim(identifier), lambda: mobile.authorize(shown),
                   lambda: mobile.authorize(shown, WRONG), lambda: mobile.reject(identifier)):
        with refused(400, code):
            action()
    with refused(400, "ERROR_OPERATION_STATE_CHANGE"):
        backend.cancel(identifier)
    after = backend.operation(identifier)
    assert after == ended


def test_expiry_is_a_boundary(world, backend, mobile, start_operation):
    identifier = start_operation()
    world.advance(299)
    mobile.device.synchronise_clock()
    assert mobile.ids() == [identifier] and backend.operation(identifier)["status"] == "PENDING"
    world.advance(2)
    mobile.device.synchronise_clock()
    assert mobile.ids() == [] and backend.operation(identifier)["status"] == "EXPIRED"
    assert [one["status"] for one in mobile.history()] == ["EXPIRED"]


def test_an_operation_of_nobody(refused, mobile):
    lost = {"id": "0f1e2d3c-4b5a-4968-8776-a5b4c3d2e1f0", "data": "A2"}
    for action in (lambda: mobile.operation(lost["id"]), lambda: mobile.claim(lost["id"]), lambda: mobile.authorize(lost),
                   lambda: mobile.authorize(lost, WRONG), lambda: mobile.reject(lost["id"])):
        with refused(400, "INVALID_OPERATION"):
            action()


def test_an_operation_of_somebody_else(backend, refused, make_mobile, start_operation):
    mobile, other = make_mobile(), make_mobile("grace")
    identifier = start_operation()
    shown = mobile.operation(identifier)

    assert other.operations() == [] == other.history()
    with refused(400, "INVALID_REQUEST"):
        other.operation(identifier)
    with refused(400, "INVALID_OPERATION"):
        other.claim(identifier)
    with refused(400, "INVALID_OPERATION"):
        other.authorize(shown)
    told = backend.operation(identifier)
    assert (told["status"], told["failureCount"]) == ("PENDING", 0)
    mobile.authorize(shown)


def test_a_wrong_pin_moves_both_counters(backend, refused, phone, start_operation):
    mobile = MobileToken(phone)
    identifier = start_operation()
    shown = mobile.operation(identifier)

    with refused(*UNAUTHENTICATED):
        mobile.authorize(shown, WRONG)

    assert backend.operation(identifier)["failureCount"] == 1
    assert phone.version == "3.0" or phone.status().failed_attempts == 1
    mobile.authorize(shown)
    told = backend.operation(identifier)
    assert (told["status"], told["failureCount"]) == ("APPROVED", 1)
    assert phone.version == "3.0" or phone.status().failed_attempts == 0


def test_the_fifth_wrong_pin_fails_the_operation_and_blocks_the_phone(backend, refused, mobile, start_operation):
    identifier = start_operation()
    shown = mobile.operation(identifier)
    for _ in range(4):
        with refused(*UNAUTHENTICATED):
            mobile.authorize(shown, WRONG)
    with refused(400, "OPERATION_ALREADY_FAILED"):
        mobile.authorize(shown, WRONG)
    assert backend.operation(identifier)["status"] == "FAILED"
    assert backend.registration(mobile.device.activation_id)["blockedReason"] == "MAX_FAILED_ATTEMPTS"


def test_a_reject_that_is_not_signed_counts_nothing(backend, refused, mobile, start_operation):
    identifier = start_operation()
    possession, mobile.device.possession = mobile.device.possession, bytes(16)
    with refused(*UNAUTHENTICATED):
        mobile.reject(identifier)
    mobile.device.possession = possession
    told = backend.operation(identifier)
    assert (told["status"], told["failureCount"]) == ("PENDING", 0)


def test_an_approval_of_nothing_in_particular(refused, mobile):
    path = "/api/auth/token/app/operation/authorize"
    for body in (b"{}", b'{"requestObject":{}}', b'{"requestObject":{"data":"A2"}}'):
        with refused(*UNAUTHENTICATED, about=body):
            checked(mobile.device.signed(path, "/operation/authorize", body))
    for body in (b"", b"[]", b"{"):
        with refused(400, "INVALID_REQUEST", about=body):
            checked(mobile.device.signed(path, "/operation/authorize", body))


@pytest.mark.parametrize("path", ["/detail", "/detail/claim"])
@pytest.mark.parametrize("request_object", [None, {}])
def test_a_detail_of_nothing_in_particular(refused, mobile, path, request_object):
    with refused(400, "INVALID_REQUEST"):
        mobile._operations(path, request_object)


def test_a_request_needs_no_content_type(mobile, start_operation):
    identifier = start_operation()
    send = mobile.device.post
    mobile.device.post = lambda path, body, headers=(): send(path, body, {"Content-Type": None} | dict(headers))
    shown = mobile.operation(identifier)
    mobile.authorize(shown)
    assert mobile.operations() == []


def test_calls_without_authentication(refused, mobile):
    for path in ("/auth/token/app/operation/list", "/auth/token/app/operation/detail", "/auth/token/app/operation/detail/claim",
                 "/auth/token/app/operation/history", "/auth/token/app/operation/authorize", "/auth/token/app/operation/cancel"):
        with refused(*UNAUTHENTICATED):
            checked(mobile.device.post("/api" + path))
    for path in ("/push/device/register", "/push/device/register/token", "/inbox/count", "/inbox/message/list",
                 "/inbox/message/detail", "/inbox/message/read", "/inbox/message/read-all"):
        with refused(401, "POWERAUTH_AUTH_FAIL", "Unable to verify device registration."):
            checked(mobile.device.post("/api" + path))
    with refused(404, "ERROR_NOT_FOUND"):
        checked(mobile.device.post("/api/nowhere"))


def test_factors_that_are_too_few_or_of_the_wrong_call(backend, refused, mobile, start_operation):
    identifier = start_operation()
    shown = mobile.operation(identifier)
    with refused(401, "OPERATION_FAILED"):
        mobile.authorize(shown, factors="possession")
    assert backend.operation(identifier)["failureCount"] == 1
    with refused(*UNAUTHENTICATED):
        mobile.history(factors="possession")
    with refused(*UNAUTHENTICATED):
        mobile.authorize(shown, factors="possession_knowledge_biometry")
    assert backend.verify(mobile.device.authorization("POST", "/x", factors="possession"), "POST", "/x")["remainingAttempts"] == 5


# Bound to a device, a flag, nobody.

def test_an_operation_of_one_device(backend, refused, make_mobile, start_operation):
    bound, other = make_mobile(), make_mobile()
    registration = bound.device.activation_id
    started = backend.start("login", registrationId=registration)
    identifier = started["operationId"]

    assert (started["userId"], started["registrationId"]) == ("eva", registration)
    assert bound.ids() == [identifier] and other.ids() == []
    assert [one["id"] for one in bound.history()] == [identifier] and other.history() == []
    shown = other.operation(identifier)
    with refused(401, "OPERATION_FAILED"):
        other.authorize(shown)
    assert backend.operation(identifier)["failureCount"] == 1
    bound.authorize(shown)
    told = backend.operation(identifier)
    assert (told["status"], told["registrationId"]) == ("APPROVED", registration)
    assert "activationId" not in told["additionalData"]


def test_an_operation_that_asks_for_a_flag(backend, refused, make_mobile, start_operation):
    plain, flagged, other = make_mobile(), make_mobile(flags=["VIP"]), make_mobile(flags=["BASIC"])
    identifier = start_operation(flag="VIP")

    assert flagged.ids() == [identifier] and other.ids() == []
    shown = flagged.operation(identifier)
    for mobile in (plain, other):
        with refused(400, "OPERATION_REQUIRES_ACTIVATION_FLAG"):
            mobile.authorize(shown)
        with refused(400, "OPERATION_REQUIRES_ACTIVATION_FLAG"):
            mobile.reject(identifier)
    told = backend.operation(identifier)
    assert (told["status"], told["failureCount"], told["flag"]) == ("PENDING", 0, "VIP")
    flagged.authorize(shown)


def test_a_phone_in_the_middle_of_onboarding_approves_nothing(refused, make_mobile, start_operation):
    mobile = make_mobile(flags=["VERIFICATION_PENDING"])
    identifier = start_operation()
    with refused(*UNAUTHENTICATED):
        mobile.authorize(mobile.operation(identifier))


def test_an_operation_of_nobody_yet_belongs_to_who_claims_it(backend, refused, make_mobile):
    mobile, other = make_mobile(), make_mobile("grace")
    started = backend.start("login")
    identifier = started["operationId"]
    assert started.get("userId") is None and mobile.operations() == []

    assert other.operation(identifier)["id"] == mobile.operation(identifier)["id"] == identifier
    mobile.claim(identifier)
    mobile.claim(identifier)

    assert mobile.ids() == [identifier] and backend.operation(identifier)["userId"] == "eva"
    with refused(400, "INVALID_OPERATION"):
        other.claim(identifier)
    with refused(400, "INVALID_REQUEST"):
        other.operation(identifier)
    mobile.authorize(mobile.operation(identifier))
    assert backend.operation(identifier)["status"] == "APPROVED"


def test_an_operation_waits_while_the_phone_is_blocked(backend, refused, mobile, start_operation):
    identifier = start_operation()
    shown = mobile.operation(identifier)
    backend.block(mobile.device.activation_id)
    with refused(*UNAUTHENTICATED):
        mobile.operations()
    with refused(*UNAUTHENTICATED):
        mobile.authorize(shown)
    assert backend.operation(identifier)["status"] == "PENDING"
    backend.unblock(mobile.device.activation_id)
    mobile.authorize(shown)


def test_orders_that_make_no_sense(backend, refused):
    for order in ({"template": "nothing like it"}, {"template": ""}, {"template": None}, {"timestampExpires": 1},
                  {"timestampExpires": "soon"}, {"parameters": {"party.id": "a\u0007b"}}, {"parameters": "none"},
                  {"proximityCheckEnabled": "perhaps"}):
        with refused(400, "ERROR_REQUEST", about=order):
            backend.start(**({"template": "login", "userId": "eva"} | order))
    assert backend.operations("eva") == []


def test_operations_for_devices_that_do_not_fit(backend, refused, mobile):
    with refused(400, "ERROR_REQUEST"):
        backend.start("login", userId="grace", registrationId=mobile.device.activation_id)
    with refused(400, "ERROR_REGISTRATION_NOT_FOUND"):
        backend.start("login", registrationId="0f1e2d3c-4b5a-4968-8776-a5b4c3d2e1f0")


def test_an_expiry_of_its_own_and_a_reference(world, backend, mobile, start_operation):
    mobile.device.synchronise_clock()
    identifier = start_operation(timestampExpires=mobile.device.now() + 20_000, externalId="order-7")
    assert backend.operation(identifier)["externalId"] == "order-7"
    world.advance(21)
    assert backend.operation(identifier)["status"] == "EXPIRED"


# Texts.

def test_texts_come_in_the_language_of_the_phone(mobile, start_operation):
    start_operation(parameters={"party.id": "b", "party.name": "Bank", "session.id": "7", "session.ip-address": "192.0.2.1"})

    def texts(language):
        mobile.device.session.headers["Accept-Language"] = language
        [one] = mobile.operations()
        return one["formData"]

    english, czech = texts("en"), texts("cs")
    assert english["title"] != czech["title"]
    assert [one["value"] for one in english["attributes"]] == [one["value"] for one in czech["attributes"]]
    assert texts("en-GB,en;q=0.9,cs;q=0.8") == english == texts("fr")
    assert texts("cs-CZ") == czech


def test_parameters_are_escaped_in_the_data_and_nowhere_else(mobile, backend, start_operation):
    parameters = {"amount": "63.99", "currency": "EUR", "account": "a*b\\c\nd", "note": "x*y"}
    identifier = start_operation("payment", parameters=parameters)
    assert backend.operation(identifier)["parameters"] == parameters
    shown = mobile.operation(identifier)
    assert shown["data"] == "A1*A63.99EUR*Ia\\*b\\\\c\\nd"
    _, account, note = shown["formData"]["attributes"]
    assert (account["value"], note["note"]) == ("a*b\\c\nd", "x*y")
    mobile.authorize(shown)
    assert backend.operation(identifier)["status"] == "APPROVED"


def test_what_has_no_value_is_not_shown_and_stays_in_the_data(mobile, start_operation):
    shown = mobile.operation(start_operation("payment", parameters={"account": "CZ1"}))
    assert shown["data"] == "A1*A${amount}${currency}*ICZ1"
    assert [one["type"] for one in shown["formData"]["attributes"]] == ["KEY_VALUE"]


#: Amount and currency; then, in English and in Czech, the amount, the currency and both. Blanks in Czech do not break.
MONEY = [
    ("1710.9817", "CZK", ("1,710.9817", "CZK", "CZK1,710.9817"), ("1 710,9817", "Kč", "1 710,9817 Kč")),
    ("1710", "USD", ("1,710.00", "$", "$1,710.00"), ("1 710,00", "US$", "1 710,00 US$")),
    ("1710", "JPY", ("1,710", "¥", "¥1,710"), ("1 710", "JP¥", "1 710 JP¥")),
    ("1.1", "BTC", ("1.1", "BTC", "1.1 BTC"), ("1,1", "BTC", "1,1 BTC")),
]


def test_money_is_written_as_the_language_of_the_phone_has_it(mobile, start_operation):
    for amount, currency, english, czech in MONEY:
        identifier = start_operation("payment", parameters={"amount": amount, "currency": currency, "account": "CZ1"})
        for language, expected in (("en", english), ("cs", czech)):
            mobile.device.session.headers["Accept-Language"] = language
            money = mobile.operation(identifier)["formData"]["attributes"][0]
            assert (money["type"], money["amount"], money["currency"]) == ("AMOUNT", float(amount), currency)
            written = [money[f"{name}Formatted"].replace("\u00a0", " ") for name in ("amount", "currency", "value")]
            assert written == list(expected)
