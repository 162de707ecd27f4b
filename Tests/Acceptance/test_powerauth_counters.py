"""What PowerAuth counts: failed attempts, and the steps of the counter on both sides."""

import os

import pytest

from powerauth_answers import checked
from powerauth_device import Deadlock
from powerauth_messages import STATES

WRONG = "00000"


def remaining(backend, phone, **options):
    """What the platform says to one more code."""
    return backend.verify(phone.authorization("POST", "/login", **options), "POST", "/login")


def test_wrong_pins_block_at_the_fifth(backend, refused, phone):
    for left in (4, 3, 2, 1):
        told = remaining(backend, phone, pin=WRONG)
        assert (told["signatureValid"], told["remainingAttempts"], told["registrationStatus"]) == (False, left, "ACTIVE")
        blob = phone.status()
        assert phone.version == "3.0" or (blob.failed_attempts, blob.state) == (5 - left, "ACTIVE")
    with refused(401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID"):
        phone.validate(pin=WRONG)

    told = backend.registration(phone.activation_id)
    assert (told["registrationStatus"], told["blockedReason"]) == ("BLOCKED", "MAX_FAILED_ATTEMPTS")
    assert phone.status().state == "BLOCKED"
    told = remaining(backend, phone)
    assert (told["signatureValid"], told["registrationStatus"]) == (False, "BLOCKED")
    assert told["blockedReason"] == "MAX_FAILED_ATTEMPTS" and told.get("remainingAttempts", 0) == 0

    backend.unblock(phone.activation_id)
    told = remaining(backend, phone)
    assert (told["signatureValid"], told["remainingAttempts"]) == (True, 5)


def test_the_last_attempt_says_that_it_was_the_last(backend, phone):
    told = [remaining(backend, phone, pin=WRONG) for _ in range(5)]
    assert [one["remainingAttempts"] for one in told] == [4, 3, 2, 1, 0]
    assert told[-1]["registrationStatus"] == "BLOCKED" and told[-1]["blockedReason"] == "MAX_FAILED_ATTEMPTS"
    assert all(one["signatureValid"] is False for one in told)


def loaded(world, table, identifier, **members):
    """The world once more, with other members of one entry."""
    fixtures = world.get("/fixtures")
    [entry] = [one for one in fixtures["powerauth"][table] if one["id"] == identifier]
    entry.update(members)
    answer = world.control("PUT", "/fixtures", json=fixtures)
    assert answer.ok, answer.text


def test_a_registration_without_any_attempts_is_blocked_by_the_next_use(world, backend, phone):
    loaded(world, "activations", phone.activation_id, failed_attempts=5)
    assert backend.state(phone.activation_id) == "ACTIVE"
    told = backend.verify(phone.authorization("POST", "/x"), "POST", "/x")
    assert (told["signatureValid"], told["registrationStatus"], told["remainingAttempts"]) == (False, "BLOCKED", 0)


def test_an_operation_without_any_attempts_is_not_approved(world, backend, refused, mobile, start_operation):
    identifier = start_operation()
    loaded(world, "operations", identifier, failures=5, max_failures=5)
    shown = mobile.operation(identifier)
    with refused(400, "OPERATION_ALREADY_FAILED"):
        mobile.authorize(shown)
    assert backend.operation(identifier)["status"] == "FAILED"


def test_a_right_pin_forgives_and_possession_alone_does_not(backend, phone):
    remaining(backend, phone, pin=WRONG)
    remaining(backend, phone, pin=WRONG)

    alone = remaining(backend, phone, factors="possession")
    assert (alone["signatureValid"], alone["remainingAttempts"]) == (True, 3)
    kept, phone.possession = phone.possession, os.urandom(16)
    for _ in range(6):
        alone = remaining(backend, phone, factors="possession")
        assert (alone["signatureValid"], alone["remainingAttempts"]) == (False, 3)
    phone.possession = kept

    assert remaining(backend, phone)["remainingAttempts"] == 5


def test_a_foreign_finger_counts_like_a_wrong_pin(backend, phone):
    phone.biometry = os.urandom(16)
    told = remaining(backend, phone, factors="possession_biometry")
    assert (told["signatureValid"], told["remainingAttempts"]) == (False, 4)
    assert remaining(backend, phone)["remainingAttempts"] == 5


@pytest.mark.parametrize("skipped, valid", [(19, True), (20, False)])
def test_the_server_looks_ahead_for_twenty_codes(backend, phone, skipped, valid):
    for _ in range(skipped):
        phone.step()

    told = remaining(backend, phone)

    assert told["signatureValid"] is valid
    if valid:
        # The counter moved behind the code that fitted, so that the window is as wide as before.
        for _ in range(19):
            phone.step()
        assert remaining(backend, phone)["signatureValid"] is True


def test_a_code_is_good_once(backend, phone):
    header = phone.authorization("POST", "/login")
    assert backend.verify(header, "POST", "/login")["signatureValid"] is True

    again = backend.verify(header, "POST", "/login")
    assert (again["signatureValid"], again["remainingAttempts"]) == (False, 4)

    header = phone.authorization("POST", "/login", factors="possession")
    assert backend.verify(header, "POST", "/login")["remainingAttempts"] == 4
    again = backend.verify(header, "POST", "/login")
    assert (again["signatureValid"], again["remainingAttempts"]) == (False, 4)


def test_a_code_that_was_overtaken_is_good_no_more(backend, phone):
    early, late = (phone.authorization("POST", "/login") for _ in range(2))
    assert backend.verify(late, "POST", "/login")["signatureValid"] is True
    assert backend.verify(early, "POST", "/login")["signatureValid"] is False


def test_a_refused_code_leaves_the_counter_where_it_is(backend, phone):
    header = phone.authorization("POST", "/login")
    assert backend.verify(header, "POST", "/other")["signatureValid"] is False
    assert backend.verify(header, "POST", "/login")["signatureValid"] is True


def test_unblocking_leaves_the_counter_where_it_is(backend, phone):
    header = phone.authorization("POST", "/login")
    backend.block(phone.activation_id)
    assert backend.verify(header, "POST", "/login")["signatureValid"] is False
    backend.unblock(phone.activation_id)
    assert backend.verify(header, "POST", "/login")["signatureValid"] is True


@pytest.mark.parametrize("version", ["3.1", "3.2", "3.3"])
class TestSynchronisation:
    """By the status, which 3.0 does not tell enough in."""

    def test_a_phone_from_a_backup_catches_up(self, backend, make_phone, version):
        phone = make_phone(version=version)
        counter, byte = phone.counter, phone.counter_byte
        for _ in range(20):
            phone.validate(factors="possession")
        ahead = phone.counter
        phone.counter, phone.counter_byte = counter, byte

        assert phone.status().state == "ACTIVE"

        assert phone.counter == ahead and phone.counter_byte == 20
        phone.validate()

    def test_a_phone_that_is_ahead_takes_the_server_along(self, make_phone, version):
        phone = make_phone(version=version)
        for skipped, server_moves in ((10, False), (1, True), (19, True)):
            before = phone.status_blob().counter_byte
            for _ in range(skipped):
                phone.step()

            phone.status()

            after = phone.status_blob().counter_byte
            assert after == (phone.counter_byte if server_moves else before)
        phone.validate()

    def test_who_is_too_far_away_is_told(self, make_phone, version):
        phone = make_phone(version=version)
        for _ in range(21):
            phone.step()
        with pytest.raises(Deadlock):
            phone.status()

        phone = make_phone(version=version)
        counter, byte = phone.counter, phone.counter_byte
        for _ in range(21):
            phone.validate(factors="possession")
        phone.counter, phone.counter_byte = counter, byte
        with pytest.raises(Deadlock):
            phone.status()

    def test_the_counter_goes_round_in_its_byte(self, make_phone, version):
        phone = make_phone(version=version)
        for _ in range(14):
            for _ in range(19):
                phone.step()
            phone.validate()

        assert phone.counter_byte == 280 % 256
        blob = phone.status()
        assert blob.counter_byte == 280 % 256


def test_the_status_of_what_has_no_keys_is_noise(backend, application, phone):
    created = backend.register("eva", application)["registrationId"]
    for identifier in (created, "0f1e2d3c-4b5a-4968-8776-a5b4c3d2e1f0"):
        known, phone.activation_id = phone.activation_id, identifier
        blob = phone.status_blob()
        phone.activation_id = known
        assert not blob.is_readable
    assert phone.status_blob().is_readable


def test_no_two_status_blobs_are_equal(phone):
    def encrypted():
        told = phone.plain("/pa/v3/activation/status", {"activationId": phone.activation_id})
        return told["encryptedStatusBlob"]

    assert len({encrypted() for _ in range(4)}) == 4
    assert phone.status_blob().state in STATES.values()


def test_a_status_of_nothing_is_refused(refused, make_phone):
    phone = make_phone()
    for body in (b"{}", b'{"requestObject":{}}', b'{"requestObject":{"challenge":"Ev/O/3SwoV9w797CifHuTg=="}}'):
        with refused(400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID", about=body):
            checked(phone.post("/pa/v3/activation/status", body))
