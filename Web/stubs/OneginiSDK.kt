/*
 * A stand-in for Onegini's SDK for Android, for tests against Understudy. Not the vendor's code: it has the names of the vendor's public guides and
 * speaks Understudy's open device protocol. understudy stub OneginiSDK.kt > OneginiSDK.kt
 *
 * It fits Understudy @VERSION@; after an update of the program take it anew. Needs a JVM 11 or Android API 26, and nothing else. All names are
 * in one package: imports of the vendor's packages become import com.onegini.mobile.sdk.android.*. On Android, write android.net.Uri and
 * Uri.parse in the two lines that are marked. The only call that the vendor's SDK does not have, in the place of its generated
 * configuration, is connect:
 *
 *     OneginiClientBuilder(context, createPinHandler, pinAuthenticationHandler).setBrowserRegistrationRequestHandler(…)
 *         .setMobileAuthWithOtpRequestHandler(…)
 *         .connect("http://10.0.2.2:8420/oauth", "com.example.understudy", "1.0.0", "understudy-android-1.0.0", file).build()
 *
 * Mobile authentication uses the device protocol's simple level, a P-256 key in the place of OpenPGP. Lacks: push, fingerprint and other
 * authenticators than the PIN, custom registration, app to web, resource calls, implicit authentication, the checks of a rooted device. The
 * refresh token stands in a file under the mask of the PIN, its keys are software keys.
 */
package com.onegini.mobile.sdk.android

import java.io.File
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import java.net.URLDecoder
import java.net.URLEncoder
import java.nio.ByteBuffer
import java.security.KeyFactory
import java.security.KeyPairGenerator
import java.security.MessageDigest
import java.security.PrivateKey
import java.security.SecureRandom
import java.security.Signature
import java.security.spec.ECGenParameterSpec
import java.security.spec.PKCS8EncodedKeySpec
import java.util.Base64
import java.util.concurrent.Executor
import java.util.concurrent.Executors
import javax.crypto.Mac
import javax.crypto.SecretKeyFactory
import javax.crypto.spec.PBEKeySpec
import javax.crypto.spec.SecretKeySpec

typealias Uri = java.net.URI // on Android: android.net.Uri
private fun uri(text: String): Uri = Uri.create(text) // on Android: Uri.parse(text)

// What an app hears. All of it on Android's main thread, or on the stub's own where there is none.

/** [errorType]: a number of the vendor's reference, such as 9003, user deregistered. */
open class OneginiError internal constructor(val errorType: Int, message: String?) : Exception(message ?: "error $errorType")
class OneginiInitializationError internal constructor(type: Int, message: String?) : OneginiError(type, message)
class OneginiRegistrationError internal constructor(type: Int, message: String?) : OneginiError(type, message)
class OneginiAuthenticationError internal constructor(type: Int, message: String?) : OneginiError(type, message)
class OneginiChangePinError internal constructor(type: Int, message: String?) : OneginiError(type, message)
class OneginiPinValidationError internal constructor(type: Int, message: String?) : OneginiError(type, message)
class OneginiLogoutError internal constructor(type: Int, message: String?) : OneginiError(type, message)
class OneginiDeregistrationError internal constructor(type: Int, message: String?) : OneginiError(type, message)
class OneginiMobileAuthEnrollmentError internal constructor(type: Int, message: String?) : OneginiError(type, message)
class OneginiMobileAuthWithOtpError internal constructor(type: Int, message: String?) : OneginiError(type, message)

interface OneginiInitializationHandler {
    fun onSuccess(removedUserProfiles: Set<UserProfile>)
    fun onError(error: OneginiInitializationError)
}

interface OneginiRegistrationHandler {
    fun onSuccess(userProfile: UserProfile, customInfo: CustomInfo?)
    fun onError(error: OneginiRegistrationError)
}

interface OneginiAuthenticationHandler {
    fun onSuccess(userProfile: UserProfile, customInfo: CustomInfo?)
    fun onError(error: OneginiAuthenticationError)
}

interface OneginiChangePinHandler {
    fun onSuccess()
    fun onError(error: OneginiChangePinError)
}

interface OneginiLogoutHandler {
    fun onSuccess()
    fun onError(error: OneginiLogoutError)
}

interface OneginiDeregisterUserProfileHandler {
    fun onSuccess()
    fun onError(error: OneginiDeregistrationError)
}

interface OneginiMobileAuthEnrollmentHandler {
    fun onSuccess()
    fun onError(error: OneginiMobileAuthEnrollmentError)
}

/** A user who denies is told so as error 9006, action cancelled, once the server knows; that is assumed. */
interface OneginiMobileAuthWithOtpHandler {
    fun onSuccess()
    fun onError(error: OneginiMobileAuthWithOtpError)
}

interface OneginiBrowserRegistrationRequestHandler {
    /** Opens [url] in a browser. */
    fun startRegistration(url: Uri, registrationCallback: OneginiBrowserRegistrationCallback)
}

interface OneginiCreatePinRequestHandler {
    fun startPinCreation(userProfile: UserProfile, callback: OneginiPinCallback, pinLength: Int)
    fun onNextPinCreationAttempt(error: OneginiPinValidationError)
    fun finishPinCreation()
}

interface OneginiPinAuthenticationRequestHandler {
    fun startAuthentication(userProfile: UserProfile, callback: OneginiPinCallback, attemptCounter: AuthenticationAttemptCounter)
    fun onNextAuthenticationAttempt(attemptCounter: AuthenticationAttemptCounter)
    fun finishAuthentication()
}

interface OneginiMobileAuthWithOtpRequestHandler {
    fun startAuthentication(request: OneginiMobileAuthenticationRequest, callback: OneginiAcceptDenyCallback)
    fun finishAuthentication()
}

interface OneginiBrowserRegistrationCallback {
    /** With the address to which the browser was sent. */
    fun handleRegistrationCallback(uri: Uri)
    fun denyRegistration()
}

interface OneginiPinCallback {
    /** The array is wiped. */
    fun acceptAuthenticationRequest(pin: CharArray)
    fun denyAuthenticationRequest()
}

interface OneginiAcceptDenyCallback {
    fun acceptAuthenticationRequest()
    fun denyAuthenticationRequest()
}

// What an app handles

data class UserProfile(val profileId: String)
class CustomInfo internal constructor(val status: Int, val data: String?)
class OneginiIdentityProvider internal constructor(val id: String, val name: String)
class AuthenticationAttemptCounter internal constructor(val failedAttempts: Int, val remainingAttempts: Int) {
    val maxAttempts get() = failedAttempts + remainingAttempts
}
class OneginiMobileAuthenticationRequest internal constructor(
    val userProfile: UserProfile, val type: String, val message: String, val transactionId: String)

class OneginiClientBuilder(
    @Suppress("unused") private val context: Any?, internal val createPin: OneginiCreatePinRequestHandler,
    internal val pinAuthentication: OneginiPinAuthenticationRequestHandler
) {
    internal var browser: OneginiBrowserRegistrationRequestHandler? = null
    internal var otp: OneginiMobileAuthWithOtpRequestHandler? = null
    internal var base = ""
    internal var application = listOf("", "", "")
    internal var storage: File? = null

    fun setBrowserRegistrationRequestHandler(handler: OneginiBrowserRegistrationRequestHandler) = apply { browser = handler }
    fun setMobileAuthWithOtpRequestHandler(handler: OneginiMobileAuthWithOtpRequestHandler) = apply { otp = handler }

    /**
     * @param url of the token server in Understudy, such as `http://10.0.2.2:8420/oauth`, in a world of its own `…/w/NAME/oauth`.
     * @param signature one of `application_signatures` of the version in the fixtures.
     * @param storage a file for credentials, users and keys; without it they are gone with the process.
     */
    @JvmOverloads fun connect(url: String, application: String, version: String, signature: String, storage: File? = null) = apply {
        base = url.trimEnd('/')
        this.application = listOf(application, version, signature)
        this.storage = storage
    }

    fun build(): OneginiClient = OneginiClient(UserClient(this)).also { OneginiClient.made = it }
}

class OneginiClient internal constructor(val userClient: UserClient) {
    companion object {
        internal var made: OneginiClient? = null
        @JvmStatic fun getInstance(): OneginiClient? = made
    }

    /** Registers the installation the first time, and afterwards validates it. */
    fun start(handler: OneginiInitializationHandler) = userClient.start(handler)
}

// The SDK

class UserClient internal constructor(private val app: OneginiClientBuilder) {
    private class Refused(val number: Int, val told: Map<*, *> = emptyMap<String, Any>()) : Exception()
    private class Profile(val id: String, var masked: ByteArray, var key: PrivateKey?)
    private class Tokens(val profile: String, val access: String, val refresh: ByteArray)

    private val worker = Executors.newSingleThreadExecutor { Thread(it, "Onegini stub").apply { isDaemon = true } }
    private val main = mainThread()
    private var clientId = ""
    private var clientSecret = ""
    private var redirectUri = ""
    @Volatile private var profiles = listOf<Profile>()
    /** Profile and access token. */
    @Volatile private var session: Pair<String, String>? = null
    @Volatile private var isHandling = false

    init { load() }

    val userProfiles: Set<UserProfile> get() = profiles.map { UserProfile(it.id) }.toSet()
    val authenticatedUserProfile: UserProfile? get() = session?.let { UserProfile(it.first) }
    val accessToken: String? get() = session?.second
    fun isUserEnrolledForMobileAuth(userProfile: UserProfile): Boolean = profiles.any { it.id == userProfile.profileId && it.key != null }

    internal fun start(handler: OneginiInitializationHandler) = work({ n, m -> handler.onError(OneginiInitializationError(n, m)) }) {
        var removed = emptySet<UserProfile>()
        if (clientId.isEmpty()) register() else {
            val told = call("POST", "/sdk/v1/clients/validate", DEVICE, mapOf(
                "app_version" to app.application[1], "app_platform" to "android", "os_version" to "15"))
            removed = (told["removed_profiles"] as? List<*>).orEmpty().map { UserProfile("$it") }.toSet()
            removed.forEach { forget(it.profileId) }
        }
        tell { handler.onSuccess(removed) }
    }

    /** Opens the page of the identity provider in a browser and has the user choose a PIN. */
    fun registerUser(identityProvider: OneginiIdentityProvider?, scopes: Array<String>?, handler: OneginiRegistrationHandler) {
        val fail = { n: Int, m: String? -> handler.onError(OneginiRegistrationError(n, m)) }
        work(fail) {
            if (clientId.isEmpty()) register()
            val (state, verifier) = random(16) to random(32)
            val query = form("client_id" to clientId, "redirect_uri" to redirectUri, "response_type" to "code",
                "scope" to (scopes ?: arrayOf("openid", "profile")).joinToString(" "), "state" to state,
                "code_challenge" to b64url(sha256(verifier.toByteArray())), "code_challenge_method" to "S256")
            val browser = checkNotNull(app.browser) { "setBrowserRegistrationRequestHandler was not called" }
            val callback = object : OneginiBrowserRegistrationCallback {
                override fun handleRegistrationCallback(uri: Uri) = work(fail) {
                    val tokens = trade("$uri", state, verifier)
                    createPin(tokens, fail) { handler.onSuccess(UserProfile(tokens.profile), null) }
                }
                override fun denyRegistration() = work(fail) { throw Refused(9006) }
            }
            tell { browser.startRegistration(uri("${app.base}/v1/authorize?$query"), callback) }
        }
    }

    /** Logs a user in by PIN. The server counts wrong ones, and behind the last one the profile is gone. */
    fun authenticateUser(userProfile: UserProfile, handler: OneginiAuthenticationHandler) {
        val fail = { n: Int, m: String? -> handler.onError(OneginiAuthenticationError(n, m)) }
        askPin(userProfile, fail) { tell { handler.onSuccess(userProfile, null) } }
    }

    /** Asks for the PIN of the user who is logged in, and for a new one. */
    fun changePin(handler: OneginiChangePinHandler) {
        val fail = { n: Int, m: String? -> handler.onError(OneginiChangePinError(n, m)) }
        val profile = authenticatedUserProfile ?: return work(fail) { throw Refused(9010) }
        askPin(profile, fail) { tokens -> createPin(tokens, fail) { handler.onSuccess() } }
    }

    /** Ends the access token; the user stays on the device. */
    fun logout(handler: OneginiLogoutHandler) = work({ n, m -> handler.onError(OneginiLogoutError(n, m)) }) {
        session?.let { post("/v1/revoke", "token" to it.second) }
        session = null
        tell { handler.onSuccess() }
    }

    /** Takes the user off the device. */
    fun deregisterUser(userProfile: UserProfile, handler: OneginiDeregisterUserProfileHandler) =
        work({ n, m -> handler.onError(OneginiDeregistrationError(n, m)) }) {
            call("DELETE", "/sdk/v1/profiles/${userProfile.profileId}", DEVICE)
            forget(userProfile.profileId)
            tell { handler.onSuccess() }
        }

    /** Enrolls the user who is logged in. */
    fun enrollUserForMobileAuth(handler: OneginiMobileAuthEnrollmentHandler) =
        work({ n, m -> handler.onError(OneginiMobileAuthEnrollmentError(n, m)) }) {
            val profile = session?.first ?: throw Refused(9010)
            val pair = KeyPairGenerator.getInstance("EC").apply { initialize(ECGenParameterSpec("secp256r1")) }.generateKeyPair()
            val point = pair.public.encoded.takeLast(64).toByteArray()
            val jwk = mapOf("kty" to "EC", "crv" to "P-256", "x" to b64url(point.copyOfRange(0, 32)), "y" to b64url(point.copyOfRange(32, 64)))
            call("POST", "/sdk/v1/mobile-auth/enroll", USER, mapOf("profile_id" to profile, "jwk" to jwk))
            profiles.first { it.id == profile }.key = pair.private
            save()
            tell { handler.onSuccess() }
        }

    /** Fetches what the portal asks, has the user confirm it, and answers. [otp]: the text of the QR code as it is. */
    fun handleMobileAuthWithOtp(otp: String, handler: OneginiMobileAuthWithOtpHandler) {
        val fail = { n: Int, m: String? -> handler.onError(OneginiMobileAuthWithOtpError(n, m)) }
        work(fail) {
            if (isHandling) throw Refused(9007)
            if (!isCode(otp)) throw Refused(10018)
            val profile = session?.first ?: throw Refused(9010)
            val key = profiles.first { it.id == profile }.key ?: throw Refused(9021)
            val asks = checkNotNull(app.otp) { "setMobileAuthWithOtpRequestHandler was not called" }
            val fetched = call("POST", "/sdk/v1/mobile-auth/otp/fetch", USER, mapOf("otp" to otp, "profile_id" to profile))
            isHandling = true
            val question = Json.parse(String(Base64.getDecoder().decode(fetched["message"] as String))) as Map<*, *>
            val id = question["transaction_id"] as String
            fun answer(result: String) = work({ n, m -> isHandling = false; asks.finishAuthentication(); fail(n, m) }) {
                val message = signed(mapOf("v" to 1, "transaction_id" to id, "challenge" to question["challenge"], "result" to result), key)
                call("POST", "/sdk/v1/mobile-auth/otp/$id/answer", USER, mapOf("message" to message))
                if (result == "deny") throw Refused(9006)
                isHandling = false
                tell { asks.finishAuthentication(); handler.onSuccess() }
            }
            val callback = object : OneginiAcceptDenyCallback {
                override fun acceptAuthenticationRequest() = answer("confirm")
                override fun denyAuthenticationRequest() = answer("deny")
            }
            val request = OneginiMobileAuthenticationRequest(UserProfile(profile), question["type"] as String, question["message"] as String, id)
            tell { asks.startAuthentication(request, callback) }
        }
    }

    private fun isCode(otp: String): Boolean = try {
        (Json.parse(String(Base64.getDecoder().decode(otp))) as? Map<*, *>)?.keys?.containsAll(listOf("transaction_id", "otp")) == true
    } catch (_: IllegalArgumentException) { false }

    /** A compact JWS. Source: RFC 7515 §3.1, RFC 7518 §3.4. */
    private fun signed(payload: Map<String, Any?>, key: PrivateKey): String {
        val text = b64url("""{"alg":"ES256"}""".toByteArray()) + "." + b64url(Json.text(payload).toByteArray())
        val der = Signature.getInstance("SHA256withECDSA").apply { initSign(key); update(text.toByteArray()) }.sign()
        return text + "." + b64url(raw(der))
    }

    /** r and s, 32 bytes each, of a DER sequence of two integers. */
    private fun raw(der: ByteArray): ByteArray {
        fun number(start: Int): Pair<ByteArray, Int> {
            val end = start + 2 + der[start + 1]
            val bytes = der.copyOfRange(start + 2, end).takeLast(32).toByteArray()
            return ByteArray(32 - bytes.size) + bytes to end
        }
        val (r, next) = number(2)
        return r + number(next).first
    }

    // PINs

    private fun askPin(profile: UserProfile, fail: (Int, String?) -> Unit, done: (Tokens) -> Unit) {
        val handler = app.pinAuthentication
        val callback = object : OneginiPinCallback {
            override fun denyAuthenticationRequest() = end(9006, null)
            fun end(number: Int, message: String?) = tell { handler.finishAuthentication(); fail(number, message) }
            override fun acceptAuthenticationRequest(pin: CharArray) = work(::end) {
                val mine = profiles.find { it.id == profile.profileId } ?: throw Refused(9003)
                try {
                    val token = mask(mine.masked, pin, mine.id).joinToString("") { "%02X".format(it) }
                    val tokens = tokens(post("/v1/token", "grant_type" to "refresh_token", "refresh_token" to token, "profile_id" to mine.id), mine.id)
                    keep(tokens, pin)
                    tell { handler.finishAuthentication() }
                    done(tokens)
                } catch (refusal: Refused) {
                    if (refusal.number == 9003) forget(mine.id)
                    if (refusal.number != 9009) throw refusal
                    val counter = AuthenticationAttemptCounter(
                        (refusal.told["used_attempts"] as? Number)?.toInt() ?: 0, (refusal.told["remaining_attempts"] as? Number)?.toInt() ?: 0)
                    tell { handler.onNextAuthenticationAttempt(counter) }
                } finally {
                    pin.fill('\u0000')
                }
            }
        }
        tell { handler.startAuthentication(profile, callback, AuthenticationAttemptCounter(0, 0)) }
    }

    private fun createPin(tokens: Tokens, fail: (Int, String?) -> Unit, done: () -> Unit) {
        val policy = call("GET", "/sdk/v1/pin-policy", DEVICE)
        val handler = app.createPin
        val callback = object : OneginiPinCallback {
            fun end(number: Int, message: String?) = tell { handler.finishPinCreation(); fail(number, message) }
            override fun denyAuthenticationRequest() = end(9006, null)
            override fun acceptAuthenticationRequest(pin: CharArray) = work(::end) {
                val fault = fault(pin, policy)
                if (fault != null) tell { handler.onNextPinCreationAttempt(OneginiPinValidationError(fault, null)) } else {
                    keep(tokens, pin)
                    tell { handler.finishPinCreation(); done() }
                }
                pin.fill('\u0000')
            }
        }
        tell { handler.startPinCreation(UserProfile(tokens.profile), callback, (policy["pin_length"] as Number).toInt()) }
    }

    /** What the SDK refuses by itself; the server never sees a PIN. */
    private fun fault(pin: CharArray, policy: Map<*, *>): Int? {
        if (pin.size != (policy["pin_length"] as Number).toInt() || pin.any { it !in '0'..'9' }) return 9014
        if (String(pin) in (policy["blocked_pins"] as? List<*>).orEmpty()) return 9011
        val steps = pin.toList().zipWithNext { a, b -> b - a }
        if (policy["sequences_allowed"] == false && steps.first() != 0 && steps.all { it == steps.first() }) return 9012
        var (run, longest) = 1 to 1
        for (step in steps) { run = if (step == 0) run + 1 else 1; longest = maxOf(longest, run) }
        val most = (policy["max_similar_digits"] as? Number)?.toInt() ?: 0
        return if (most in 1 until longest) 9013 else null
    }

    private fun tokens(told: Map<*, *>, profile: String?) = Tokens(
        profile ?: told["profile_id"] as String, told["access_token"] as String,
        (told["refresh_token"] as String).chunked(2) { "$it".toInt(16).toByte() }.toByteArray())

    private fun keep(tokens: Tokens, pin: CharArray) {
        val masked = mask(tokens.refresh, pin, tokens.profile)
        session = tokens.profile to tokens.access
        profiles.find { it.id == tokens.profile }?.let { it.masked = masked } ?: run { profiles = profiles + Profile(tokens.profile, masked, null) }
        save()
    }

    /** Hides a refresh token, or shows it. */
    private fun mask(token: ByteArray, pin: CharArray, profile: String): ByteArray {
        val salt = sha256("$clientId:$profile".toByteArray())
        val mask = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(PBEKeySpec(pin, salt, 10_000, 256)).encoded
        return ByteArray(token.size) { (token[it].toInt() xor mask[it].toInt()).toByte() }
    }

    // The installation

    private fun register() {
        val asked = call("POST", "/sdk/v1/clients/challenge", NOBODY, mapOf(
            "app_identifier" to app.application[0], "app_platform" to "android", "app_version" to app.application[1], "os_version" to "15"))
        val response = ocra(asked["challenge"] as String, (asked["server_time"] as Number).toLong() / 1000)
        val made = call("POST", "/sdk/v1/clients", NOBODY, mapOf("identifier" to asked["identifier"], "ocra_response" to response))
        clientId = made["client_id"] as String
        clientSecret = made["client_secret"] as String
        redirectUri = (made["redirect_uris"] as List<*>).first() as String
        save()
    }

    /** Source: RFC 6287 §5, with the suite that the challenge names. */
    private fun ocra(challenge: String, seconds: Long): String {
        val question = challenge.chunked(2) { "$it".toInt(16).toByte() }.toByteArray().copyOf(128)
        val data = "OCRA-1:HOTP-SHA256-8:QH64-T1M".toByteArray() + 0 + question + ByteBuffer.allocate(8).putLong(seconds / 60).array()
        val key = SecretKeySpec(sha256(app.application[2].toByteArray()), "HmacSHA256")
        val code = Mac.getInstance("HmacSHA256").apply { init(key) }.doFinal(data)
        val number = ByteBuffer.wrap(code, code[31].toInt() and 15, 4).int and 0x7FFFFFFF
        return "%08d".format(number % 100_000_000)
    }

    private fun trade(landed: String, state: String, verifier: String): Tokens {
        val found = landed.substringAfter('?').split('&').associate { it.substringBefore('=') to URLDecoder.decode(it.substringAfter('='), "UTF-8") }
        val code = found["code"]
        if (!landed.startsWith(redirectUri) || found["state"] != state || code == null) throw Refused(if (found["error"] == "access_denied") 9006 else 10015)
        return tokens(post("/v1/token", "grant_type" to "authorization_code", "code" to code, "redirect_uri" to redirectUri,
            "code_verifier" to verifier), null)
    }

    private fun forget(profile: String) {
        profiles = profiles.filter { it.id != profile }
        if (session?.first == profile) session = null
        save()
    }

    private fun save() {
        val file = app.storage ?: return
        val kept = mapOf("client_id" to clientId, "client_secret" to clientSecret, "redirect_uri" to redirectUri, "profiles" to profiles.map { one ->
            mapOf("id" to one.id, "masked" to b64url(one.masked), "key" to one.key?.let { b64url(it.encoded) })
        })
        val fresh = File(file.path + ".new")
        fresh.writeText(Json.text(kept))
        if (!fresh.renameTo(file)) throw IOException("$fresh cannot take the place of $file")
    }

    private fun load() {
        val kept = app.storage?.takeIf { it.exists() }?.let { Json.parse(it.readText()) as Map<*, *> } ?: return
        clientId = kept["client_id"] as String
        clientSecret = kept["client_secret"] as String
        redirectUri = kept["redirect_uri"] as String
        profiles = (kept["profiles"] as List<*>).map { it as Map<*, *> }.map { one ->
            val key = (one["key"] as? String)?.let { KeyFactory.getInstance("EC").generatePrivate(PKCS8EncodedKeySpec(unb64url(it))) }
            Profile(one["id"] as String, unb64url(one["masked"] as String), key)
        }
    }

    // Wire

    /** Runs on the worker; what goes wrong goes to [fail]. */
    private fun work(fail: (Int, String?) -> Unit, work: () -> Unit) {
        worker.execute {
            try {
                work()
            } catch (refusal: Refused) {
                obey(refusal.number)
                tell { fail(refusal.number, refusal.told["error_description"] as? String) }
            } catch (error: IOException) {
                tell { fail(9001, "${app.base}: $error") }
            }
        }
    }

    /** What is over at the server is over on the device. */
    private fun obey(number: Int) {
        when (number) {
            9002 -> { clientId = ""; profiles = emptyList(); session = null; save() }
            9003 -> session?.first?.let(::forget)
            9020 -> { profiles.find { it.id == session?.first }?.key = null; save() }
        }
    }

    private fun tell(words: () -> Unit) = main.execute { words() }

    private fun form(vararg fields: Pair<String, String>) =
        fields.joinToString("&") { (name, value) -> name + "=" + URLEncoder.encode(value, "UTF-8") }

    private fun post(path: String, vararg fields: Pair<String, String>) =
        send("POST", path, DEVICE, "application/x-www-form-urlencoded", form(*fields))

    private fun call(method: String, path: String, caller: Int, body: Map<String, Any?>? = null) =
        send(method, path, caller, "application/json", body?.let { Json.text(it) })

    private fun send(method: String, path: String, caller: Int, type: String, body: String?): Map<*, *> {
        val connection = URL(app.base + path).openConnection() as HttpURLConnection
        connection.requestMethod = method
        connection.connectTimeout = 10_000
        connection.readTimeout = 30_000
        val pair = Base64.getEncoder().encodeToString("$clientId:$clientSecret".toByteArray())
        if (caller == DEVICE) connection.setRequestProperty("Authorization", "Basic $pair")
        if (caller == USER) connection.setRequestProperty("Authorization", "Bearer ${session?.second}")
        if (body != null) {
            connection.setRequestProperty("Content-Type", type)
            connection.doOutput = true
            connection.outputStream.use { it.write(body.toByteArray()) }
        }
        val status = connection.responseCode
        val text = (if (status < 400) connection.inputStream else connection.errorStream)?.use { String(it.readBytes()) } ?: ""
        val told = try { Json.parse(text) as? Map<*, *> } catch (_: IllegalArgumentException) { null } ?: emptyMap<String, Any>()
        if (status < 400) return told
        // The endpoints of OAuth know no numbers: there credentials that are unknown say it.
        throw Refused((told["sdk_code"] as? Number)?.toInt() ?: if (told["error"] == "invalid_client") 9002 else 10000, told)
    }
}

/** Who calls: nobody, the installation by its credentials, the user by the access token. */
private const val NOBODY = 0
private const val DEVICE = 1
private const val USER = 2

private fun sha256(bytes: ByteArray): ByteArray = MessageDigest.getInstance("SHA-256").digest(bytes)
private fun random(count: Int): String = b64url(ByteArray(count).also { SecureRandom().nextBytes(it) })
private fun b64url(bytes: ByteArray): String = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes)
private fun unb64url(text: String): ByteArray = Base64.getUrlDecoder().decode(text)

private fun mainThread(): Executor = try {
    val looper = Class.forName("android.os.Looper").getMethod("getMainLooper").invoke(null)
    val handlers = Class.forName("android.os.Handler")
    val handler = handlers.getConstructor(Class.forName("android.os.Looper")).newInstance(looper)
    val post = handlers.getMethod("post", Runnable::class.java)
    Executor { post.invoke(handler, it) }
} catch (_: ReflectiveOperationException) {
    Executor { it.run() }
}

/** As much JSON as the protocol needs: objects as maps, arrays as lists, numbers as Long or BigDecimal. */
private class Json(private val text: String) {
    companion object {
        fun parse(text: String): Any? = Json(text).run { value().also { space(); if (at != text.length) fail() } }

        fun text(value: Any?): String = when (value) {
            is Map<*, *> -> value.entries.joinToString(",", "{", "}") { text("${it.key}") + ":" + text(it.value) }
            is List<*> -> value.joinToString(",", "[", "]") { text(it) }
            is String -> value.map { if (it < ' ' || it == '"' || it == '\\') "\\u%04x".format(it.code) else "$it" }.joinToString("", "\"", "\"")
            else -> "$value"
        }
    }

    private var at = 0

    private fun fail(): Nothing = throw IllegalArgumentException("no JSON at character $at: ${text.take(80)}")
    private fun space() { while (at < text.length && text[at] in " \t\r\n") at++ }
    private fun take(expected: Char): Boolean { space(); return (at < text.length && text[at] == expected).also { if (it) at++ } }

    private fun value(): Any? {
        space()
        if (at >= text.length) fail()
        if (take('{')) return members()
        if (take('[')) return elements()
        if (text[at] == '"') return string()
        for ((word, meaning) in listOf("true" to true, "false" to false, "null" to null)) {
            if (text.startsWith(word, at)) { at += word.length; return meaning }
        }
        val end = (at until text.length).find { text[it] !in "+-.eE0123456789" } ?: text.length
        val number = text.substring(at, end).also { at = end }
        return number.toLongOrNull() ?: number.toBigDecimalOrNull() ?: fail()
    }

    private fun members(): Map<String, Any?> {
        val found = LinkedHashMap<String, Any?>()
        if (take('}')) return found
        do {
            space()
            val name = string()
            if (!take(':')) fail()
            found[name] = value()
        } while (take(','))
        if (!take('}')) fail()
        return found
    }

    private fun elements(): List<Any?> {
        val found = ArrayList<Any?>()
        if (take(']')) return found
        do found += value() while (take(','))
        if (!take(']')) fail()
        return found
    }

    private fun string(): String {
        if (!take('"')) fail()
        val out = StringBuilder()
        while (true) {
            val next = text.getOrNull(at++) ?: fail()
            when (next) {
                '"' -> return out.toString()
                '\\' -> out.append(escape())
                else -> out.append(next)
            }
        }
    }

    private fun escape(): Char = when (val next = text.getOrNull(at++) ?: fail()) {
        'n' -> '\n'; 't' -> '\t'; 'r' -> '\r'; 'b' -> '\b'; 'f' -> '\u000c'
        'u' -> text.substring(at, minOf(at + 4, text.length)).toIntOrNull(16)?.toChar()?.also { at += 4 } ?: fail()
        else -> next
    }
}
