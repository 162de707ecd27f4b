/*
 * A stand-in for Onegini's SDK for Android, for tests against Understudy. Not the vendor's code: it has the names of the vendor's public guides and
 * of its public example app (version 13), in the vendor's packages, and speaks Understudy's open device protocol.
 * understudy stub OneginiSDK-android.tar | tar x -C app/src/stub/kotlin; how to put it into a project and how to swap it back: /docs/stubs.md.
 *
 * It fits Understudy @VERSION@; after an update of the program take it anew. Needs Android API 23, Kotlin 1.9, and what the vendor's SDK brings
 * along: androidx.biometric and OkHttp 4. It takes the application from the OneginiConfigModel that the console's home page prints, or by the
 * only call that the vendor's SDK does not have:
 *
 *     OneginiClientBuilder(context, createPinHandler, pinAuthenticationHandler).setBrowserRegistrationRequestHandler(…)
 *         .connect("http://10.0.2.2:8420/oauth", "com.example.understudy", "1.0.0", "understudy-android-1.0.0").build()
 *
 * Mobile authentication uses the device protocol's simple level, a P-256 key in the place of OpenPGP. Not emulated, and said so as a
 * GENERAL_ERROR: biometry and authenticators of the app's own, implicit and stateless authentication, the authentication of a device alone,
 * pushes that ask for a PIN, a fingerprint or an authenticator of the app's own. Pushes are not delivered;
 * getPendingMobileAuthWithPushRequests fetches them. The device counts as neither rooted nor tampered with.
 * The refresh token stands in a file under the mask of the PIN, its keys are software keys.
 */
package com.onegini.mobile.sdk.android.client

import android.content.Context
import android.net.Uri
import com.onegini.mobile.sdk.android.handlers.*
import com.onegini.mobile.sdk.android.handlers.action.*
import com.onegini.mobile.sdk.android.handlers.error.*
import com.onegini.mobile.sdk.android.handlers.request.*
import com.onegini.mobile.sdk.android.handlers.request.callback.*
import com.onegini.mobile.sdk.android.model.*
import com.onegini.mobile.sdk.android.model.entity.*
import java.io.File
import java.io.IOException
import java.net.ConnectException
import java.net.HttpURLConnection
import java.net.SocketTimeoutException
import java.net.URL
import java.net.URLDecoder
import java.net.URLEncoder
import java.nio.ByteBuffer
import java.nio.CharBuffer
import java.security.KeyFactory
import java.security.KeyPairGenerator
import java.security.MessageDigest
import java.security.PrivateKey
import java.security.SecureRandom
import java.security.Signature
import java.security.spec.ECGenParameterSpec
import java.security.spec.PKCS8EncodedKeySpec
import java.util.concurrent.Executor
import java.util.concurrent.Executors
import javax.crypto.Mac
import javax.crypto.spec.SecretKeySpec
import okhttp3.Interceptor
import okhttp3.OkHttpClient

/** The class `OneginiConfigModel` in the package of the app is not there, and no other was given. */
class OneginiConfigNotFoundException internal constructor(message: String) : RuntimeException(message)

class OneginiClientBuilder(
    internal val context: Context?, internal val createPin: OneginiCreatePinRequestHandler,
    internal val pinAuthentication: OneginiPinAuthenticationRequestHandler
) {
    internal var browser: OneginiBrowserRegistrationRequestHandler? = null
    internal var otp: OneginiMobileAuthWithOtpRequestHandler? = null
    internal var push: OneginiMobileAuthWithPushRequestHandler? = null
    internal val providers = LinkedHashMap<String, OneginiCustomIdentityProvider>()
    internal var connectTimeout = 10_000
    internal var readTimeout = 30_000
    internal var config: OneginiClientConfigModel? = null
    internal var base = ""
    internal var application = listOf("", "", "")
    internal var storage: File? = null

    fun setBrowserRegistrationRequestHandler(handler: OneginiBrowserRegistrationRequestHandler) = apply { browser = handler }
    fun setMobileAuthWithOtpRequestHandler(handler: OneginiMobileAuthWithOtpRequestHandler) = apply { otp = handler }
    fun setMobileAuthWithPushRequestHandler(handler: OneginiMobileAuthWithPushRequestHandler) = apply { push = handler }
    fun addCustomIdentityProvider(provider: OneginiCustomIdentityProvider) = apply { providers[provider.getId()] = provider }
    /** In milliseconds. */
    fun setHttpConnectTimeout(timeout: Int) = apply { connectTimeout = timeout }
    fun setHttpReadTimeout(timeout: Int) = apply { readTimeout = timeout }
    fun setConfigModel(model: OneginiClientConfigModel) = apply { config = model }

    // Taken and never called: see above what is not emulated.
    fun setBiometricAuthenticationRequestHandler(handler: OneginiBiometricAuthenticationRequestHandler) = apply { "$handler" }
    fun setCustomAuthenticationRequestHandler(handler: OneginiCustomAuthenticationRequestHandler) = apply { "$handler" }
    fun setMobileAuthWithPushPinRequestHandler(handler: OneginiMobileAuthWithPushPinRequestHandler) = apply { "$handler" }
    fun setMobileAuthWithPushBiometricRequestHandler(handler: OneginiMobileAuthWithPushBiometricRequestHandler) = apply { "$handler" }
    fun setMobileAuthWithPushCustomRequestHandler(handler: OneginiMobileAuthWithPushCustomRequestHandler) = apply { "$handler" }
    fun setCustomAuthenticators(authenticators: Set<OneginiCustomAuthenticator>) = apply { "$authenticators" }
    fun setSecurityController(controller: Class<*>) = apply { "$controller" }

    /**
     * In the place of a configuration model.
     *
     * @param url of the token server in Understudy, such as `http://10.0.2.2:8420/oauth`, in a world of its own `…/w/NAME/oauth`.
     * @param signature one of `application_signatures` of the version in the fixtures.
     * @param storage a file for credentials, users and keys; else one among the files of the context, or without one none.
     */
    @JvmOverloads fun connect(url: String, application: String, version: String, signature: String, storage: File? = null) = apply {
        base = url.trimEnd('/')
        this.application = listOf(application, version, signature)
        this.storage = storage ?: kept
    }

    private val kept: File? get() = context?.filesDir?.let { File(it, "onegini-stub.json") }

    fun build(): OneginiClient {
        if (base.isEmpty()) configure()
        return OneginiClient(this).also { OneginiClient.made = it }
    }

    /** The vendor computes the signature from the app's file; here it is the one of the fixtures, `understudy-android-VERSION`. */
    private fun configure() {
        val model = config ?: named().also { config = it }
        connect(model.getBaseUrl().trimEnd('/') + "/oauth", model.getAppIdentifier(), model.getAppVersion(), "understudy-android-${model.getAppVersion()}")
    }

    private fun named(): OneginiClientConfigModel {
        val name = "${context?.packageName}.OneginiConfigModel"
        val made = try { Class.forName(name).getConstructor().newInstance() } catch (_: ReflectiveOperationException) { null }
        return made as? OneginiClientConfigModel
            ?: throw OneginiConfigNotFoundException("$name is not there; call setConfigModel or, of this stub alone, connect")
    }
}

class OneginiClient internal constructor(private val app: OneginiClientBuilder) {
    companion object {
        internal var made: OneginiClient? = null
        @JvmStatic fun getInstance(): OneginiClient? = made
    }

    private val engine = Engine(app)
    val userClient = UserClient(engine)
    val deviceClient = DeviceClient(engine)
    /** Null after `connect`. */
    val configModel: OneginiClientConfigModel? get() = app.config

    /** Registers the installation the first time, and afterwards validates it. */
    fun start(handler: OneginiInitializationHandler) = engine.start(handler)
}

class DeviceClient internal constructor(private val engine: Engine) {
    fun refreshMobileAuthPushToken(token: String, handler: OneginiRefreshMobileAuthPushTokenHandler) =
        engine.refreshPushToken(token, handler)

    /** Not emulated. */
    fun authenticateDevice(scopes: Array<String>?, handler: OneginiDeviceAuthenticationHandler) =
        engine.refuse("authenticateDevice (${scopes.orEmpty().joinToString()})") { handler.onError(of(10000, it, ::OneginiDeviceAuthenticationError)) }

    /** Without a token: the authentication of a device alone is not emulated. */
    val anonymousResourceOkHttpClient: OkHttpClient get() = OkHttpClient()
}

class UserClient internal constructor(private val engine: Engine) {
    val userProfiles: Set<UserProfile> get() = engine.userProfiles()
    val authenticatedUserProfile: UserProfile? get() = engine.session?.let { UserProfile(it.profile) }
    /** Always null: implicit authentication is not emulated. */
    val implicitlyAuthenticatedUserProfile: UserProfile? get() = null
    val accessToken: String? get() = engine.session?.access
    val idToken: String? get() = engine.session?.idToken
    /** Those of the application's settings and of the app's own, known once the SDK has started. */
    val identityProviders: Set<OneginiIdentityProvider> get() = engine.identityProviders()
    /** Sends the access token of the user with each request. */
    val resourceOkHttpClient: OkHttpClient get() = OkHttpClient.Builder().addInterceptor(Interceptor { chain ->
        chain.proceed(chain.request().newBuilder().header("Authorization", "Bearer ${engine.session?.access}").build())
    }).build()
    /** Without a token: implicit authentication is not emulated. */
    val implicitResourceOkHttpClient: OkHttpClient get() = OkHttpClient()

    fun isUserEnrolledForMobileAuth(userProfile: UserProfile): Boolean = engine.isEnrolled(userProfile)
    fun isUserEnrolledForMobileAuthWithPush(userProfile: UserProfile): Boolean = engine.isEnrolledForPush(userProfile)

    /** With the page of the token server in a browser, or a custom identity provider of the builder; then the user chooses a PIN. */
    fun registerUser(identityProvider: OneginiIdentityProvider?, scopes: Array<String>?, handler: OneginiRegistrationHandler) =
        engine.register(identityProvider, scopes, handler)

    /** Logs a user in by PIN. The server counts wrong ones, and behind the last one the profile is gone. */
    fun authenticateUser(userProfile: UserProfile, handler: OneginiAuthenticationHandler) = engine.authenticate(userProfile, handler)
    /** [authenticator]: null or the PIN. */
    fun authenticateUser(userProfile: UserProfile, authenticator: OneginiAuthenticator?, handler: OneginiAuthenticationHandler) =
        if (authenticator == null || authenticator.type == OneginiAuthenticator.Type.PIN) engine.authenticate(userProfile, handler)
        else engine.refuse("the authenticator ${authenticator.name}") { handler.onError(of(9015, it, ::OneginiAuthenticationError)) }

    /** Asks for the PIN of the user who is logged in, and for a new one. */
    fun changePin(handler: OneginiChangePinHandler) = engine.changePin(handler)
    /** Says what [OneginiCreatePinRequestHandler] would say. */
    fun validatePinWithPolicy(pin: CharArray, handler: OneginiPinValidationHandler) = engine.validatePin(pin, handler)
    /** Ends the access token; the user stays on the device. */
    fun logout(handler: OneginiLogoutHandler) = engine.logout(handler)
    /** Takes the user off the device. */
    fun deregisterUser(userProfile: UserProfile, handler: OneginiDeregisterUserProfileHandler) = engine.deregister(userProfile, handler)

    fun getAllAuthenticators(userProfile: UserProfile): Set<OneginiAuthenticator> = setOf(PinAuthenticator(userProfile))
    fun getRegisteredAuthenticators(userProfile: UserProfile): Set<OneginiAuthenticator> = setOf(PinAuthenticator(userProfile))
    @Suppress("UNUSED_PARAMETER") fun getNotRegisteredAuthenticators(userProfile: UserProfile): Set<OneginiAuthenticator> = emptySet()
    val preferredAuthenticator: OneginiAuthenticator? get() = authenticatedUserProfile?.let(::PinAuthenticator)
    /** The PIN is all there is. */
    fun setPreferredAuthenticator(authenticator: OneginiAuthenticator) =
        require(authenticator.type == OneginiAuthenticator.Type.PIN) { "not emulated: the authenticator ${authenticator.name}" }
    /** Not emulated. */
    fun registerAuthenticator(authenticator: OneginiAuthenticator, handler: OneginiAuthenticatorRegistrationHandler) =
        engine.refuse("the authenticator ${authenticator.name}") { handler.onError(of(10006, it, ::OneginiAuthenticatorRegistrationError)) }
    /** Not emulated; the PIN cannot be deregistered. */
    fun deregisterAuthenticator(authenticator: OneginiAuthenticator, handler: OneginiAuthenticatorDeregistrationHandler) =
        engine.refuse("deregistering ${authenticator.name}") { handler.onError(of(10008, it, ::OneginiAuthenticatorDeregistrationError)) }

    /** Enrolls the user who is logged in. */
    fun enrollUserForMobileAuth(handler: OneginiMobileAuthEnrollmentHandler) = engine.enroll(handler)
    /** Of a user who is enrolled already. [token]: any text; the stub is not reached by it. */
    fun enrollUserForMobileAuthWithPush(token: String, handler: OneginiMobileAuthWithPushEnrollmentHandler) = engine.enrollForPush(token, handler)
    /** Fetches what the portal asks, has the user confirm it, and answers. [otp]: the text of the QR code as it is. */
    fun handleMobileAuthWithOtp(otp: String, handler: OneginiMobileAuthWithOtpHandler) = engine.handleOtp(otp, handler)
    /** Those of the user who is logged in, or else of all users of the device. */
    fun getPendingMobileAuthWithPushRequests(handler: OneginiPendingMobileAuthWithPushRequestsHandler) = engine.pending(handler)
    fun handleMobileAuthWithPushRequest(request: OneginiMobileAuthWithPushRequest, handler: OneginiMobileAuthenticationHandler) =
        engine.handlePush(request, handler)
    /** Without asking the user. */
    fun denyMobileAuthWithPushRequest(request: OneginiMobileAuthWithPushRequest, handler: OneginiDenyMobileAuthWithPushRequestHandler) =
        engine.denyPush(request, handler)

    /** [targetUri]: one of `single_sign_on_targets` of the application in the fixtures. */
    fun getAppToWebSingleSignOn(targetUri: Uri, handler: OneginiAppToWebSingleSignOnHandler) = engine.appToWeb(targetUri, handler)

    /** Not emulated. */
    fun authenticateUserImplicitly(userProfile: UserProfile, scopes: Array<String>?, handler: OneginiImplicitAuthenticationHandler) =
        engine.refuse("authenticateUserImplicitly (${userProfile.profileId}, ${scopes.orEmpty().joinToString()})") {
            handler.onError(of(10000, it, ::OneginiImplicitTokenRequestError))
        }
    /** Not emulated. */
    fun registerStatelessUser(identityProvider: OneginiIdentityProvider?, scopes: Array<String>?, handler: OneginiStatelessRegistrationHandler) =
        engine.refuse("registerStatelessUser (${identityProvider?.id}, ${scopes.orEmpty().joinToString()})") {
            handler.onError(of(9034, it, ::OneginiRegistrationError))
        }
    /** Not emulated. */
    fun refreshStatelessSession(handler: OneginiRefreshStatelessSessionHandler) =
        engine.refuse("refreshStatelessSession") { handler.onError(of(10000, it, ::OneginiRefreshStatelessSessionError)) }
}

// What does it. All state belongs to the worker; what apps ask for at once is volatile.

internal class Engine(private val app: OneginiClientBuilder) {
    private class Refused(val number: Int, val told: Map<*, *> = emptyMap<String, Any>()) : Exception()
    private class Profile(val id: String, var masked: ByteArray, var key: PrivateKey?, var hasPush: Boolean, var wrongPins: Int)
    private class Tokens(val profile: String, val access: String, val refresh: ByteArray, val idToken: String?)
    internal class Session(val profile: String, val access: String, val idToken: String?)

    private val worker = Executors.newSingleThreadExecutor { Thread(it, "Onegini stub").apply { isDaemon = true } }
    private val main = callbackThread()
    private var clientId = ""
    private var clientSecret = ""
    private var redirectUri = ""
    private var maxPins = 0
    @Volatile private var providers = listOf<KnownIdentityProvider>()
    @Volatile private var profiles = listOf<Profile>()
    @Volatile internal var session: Session? = null

    init { load() }

    fun userProfiles(): Set<UserProfile> = profiles.map { UserProfile(it.id) }.toSet()
    fun identityProviders(): Set<OneginiIdentityProvider> =
        (providers + app.providers.keys.map { KnownIdentityProvider(it, it) }).associateBy { it.id }.values.toSet()
    fun isEnrolled(user: UserProfile): Boolean = profiles.any { it.id == user.profileId && it.key != null }
    fun isEnrolledForPush(user: UserProfile): Boolean = profiles.any { it.id == user.profileId && it.hasPush }

    /** Says that the stub cannot do it. */
    fun refuse(what: String, fail: (String) -> Unit) = tell { fail("not emulated: $what") }

    fun start(handler: OneginiInitializationHandler) = work({ n, m -> handler.onError(of(n, m, ::OneginiInitializationError)) }) {
        var removed = emptySet<UserProfile>()
        if (clientId.isEmpty()) register() else {
            val told = call("POST", "/sdk/v1/clients/validate", DEVICE, mapOf(
                "app_version" to app.application[1], "app_platform" to "android", "os_version" to "15"))
            removed = (told["removed_profiles"] as? List<*>).orEmpty().map { UserProfile("$it") }.toSet()
            removed.forEach { forget(it.profileId) }
            configure(told["config"])
        }
        tell { handler.onSuccess(removed) }
    }

    // Users

    fun register(provider: OneginiIdentityProvider?, scopes: Array<String>?, handler: OneginiRegistrationHandler) {
        val fail = { n: Int, m: String? -> handler.onError(of(n, m, ::OneginiRegistrationError)) }
        val wanted = scopes ?: arrayOf("openid", "profile")
        work(fail) {
            if (clientId.isEmpty()) register()
            val own = app.providers[provider?.id]
            if (own == null && provider != null && providers.none { it.id == provider.id }) throw Refused(10020)
            val done = { tokens: Tokens, info: CustomInfo? -> createPin(tokens, fail) { handler.onSuccess(UserProfile(tokens.profile), info) } }
            if (own == null) browse(wanted, fail, done) else customize(own, wanted, fail, done)
        }
    }

    private fun browse(scopes: Array<String>, fail: (Int, String?) -> Unit, done: (Tokens, CustomInfo?) -> Unit) {
        val (state, verifier) = random(16) to random(32)
        val query = form("client_id" to clientId, "redirect_uri" to redirectUri, "response_type" to "code",
            "scope" to scopes.joinToString(" "), "state" to state,
            "code_challenge" to b64url(sha256(verifier.toByteArray())), "code_challenge_method" to "S256")
        val browser = app.browser ?: throw Refused(10001, mapOf("error_description" to "setBrowserRegistrationRequestHandler was not called"))
        val callback = object : OneginiBrowserRegistrationCallback {
            override fun handleRegistrationCallback(uri: Uri) = work(fail) { done(trade("$uri", state, verifier), null) }
            override fun denyRegistration() = work(fail) { throw Refused(9006) }
        }
        tell { browser.startRegistration(Uri.parse("${app.base}/v1/authorize?$query"), callback) }
    }

    /** Registers at an identity provider of the app's own, in one step or in two. */
    private fun customize(own: OneginiCustomIdentityProvider, scopes: Array<String>, fail: (Int, String?) -> Unit, done: (Tokens, CustomInfo?) -> Unit) {
        val action = own.getRegistrationAction()
        fun path(step: String) = "/custom-registration/${URLEncoder.encode(own.getId(), "UTF-8")}/$step"
        fun answer(next: (String?) -> Unit) = object : OneginiCustomRegistrationCallback {
            override fun returnSuccess(data: String?) = work(fail) { next(data) }
            override fun returnError(exception: Exception?) = work(fail) { throw Refused(9006, mapOf("error_description" to exception?.message)) }
        }
        fun finish(transaction: String?, info: CustomInfo?) {
            val callback = answer { data ->
                val told = call("POST", path("complete"), DEVICE, mapOf("transaction_id" to transaction, "data" to data,
                    "scope" to scopes.toList(), "profile_id" to profileId()).filterValues { it != null })
                val outcome = CustomInfo((told["status"] as Number).toInt(), told["data"] as? String)
                val token = told["oauth_token"] as? Map<*, *>
                when {
                    token != null -> done(tokens(token, null), outcome)
                    outcome.status in 4000..4999 -> finish(transaction, outcome)
                    else -> throw Refused(10022, mapOf("error_description" to "status ${outcome.status}: ${outcome.data}"))
                }
            }
            tell { action.finishRegistration(callback, info) }
        }
        if (action !is OneginiCustomTwoStepRegistrationAction) return finish(null, null)
        val first = answer { data ->
            val told = call("POST", path("init"), DEVICE, mapOf("data" to data).filterValues { it != null })
            finish(told["transaction_id"] as? String, CustomInfo((told["status"] as Number).toInt(), told["data"] as? String))
        }
        tell { action.initRegistration(first, null) }
    }

    private fun profileId(): String = (1..6).map { "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[SecureRandom().nextInt(36)] }.joinToString("")

    fun authenticate(user: UserProfile, handler: OneginiAuthenticationHandler) {
        val fail = { n: Int, m: String? -> handler.onError(of(n, m, ::OneginiAuthenticationError)) }
        askPin(user, fail) { tell { handler.onSuccess(user, null) } }
    }

    fun changePin(handler: OneginiChangePinHandler) {
        val fail = { n: Int, m: String? -> handler.onError(of(n, m, ::OneginiChangePinError)) }
        val user = session?.let { UserProfile(it.profile) } ?: return work(fail) { throw Refused(9010) }
        askPin(user, fail) { tokens -> createPin(tokens, fail) { handler.onSuccess() } }
    }

    fun validatePin(pin: CharArray, handler: OneginiPinValidationHandler) {
        val fail = { n: Int, m: String? -> handler.onError(of(n, m, ::OneginiPinValidationError)) }
        work(fail) {
            if (clientId.isEmpty()) register()
            fault(pin, call("GET", "/sdk/v1/pin-policy", DEVICE))?.let { throw Refused(it) }
            tell { handler.onSuccess() }
        }
    }

    fun logout(handler: OneginiLogoutHandler) = work({ n, m -> handler.onError(of(n, m, ::OneginiLogoutError)) }) {
        session?.let { post("/v1/revoke", "token" to it.access) }
        session = null
        tell { handler.onSuccess() }
    }

    fun deregister(user: UserProfile, handler: OneginiDeregisterUserProfileHandler) =
        work({ n, m -> handler.onError(of(n, m, ::OneginiDeregistrationError)) }) {
            call("DELETE", "/sdk/v1/profiles/${user.profileId}", DEVICE)
            forget(user.profileId)
            tell { handler.onSuccess() }
        }

    fun appToWeb(target: Uri, handler: OneginiAppToWebSingleSignOnHandler) =
        work({ n, m -> handler.onError(of(n, m, ::OneginiAppToWebSingleSignOnError)) }) {
            session ?: throw Refused(9010)
            val told = call("POST", "/sdk/v1/app-to-web", USER, mapOf("target_url" to "$target"))
            val link = OneginiAppToWebSingleSignOn(told["token"] as String, Uri.parse(told["redirect_url"] as String))
            tell { handler.onSuccess(link) }
        }

    // Mobile authentication

    fun enroll(handler: OneginiMobileAuthEnrollmentHandler) =
        work({ n, m -> handler.onError(of(n, m, ::OneginiMobileAuthEnrollmentError)) }) {
            val profile = session?.profile ?: throw Refused(9010)
            val pair = KeyPairGenerator.getInstance("EC").apply { initialize(ECGenParameterSpec("secp256r1")) }.generateKeyPair()
            val point = pair.public.encoded.takeLast(64).toByteArray()
            val jwk = mapOf("kty" to "EC", "crv" to "P-256", "x" to b64url(point.copyOfRange(0, 32)), "y" to b64url(point.copyOfRange(32, 64)))
            call("POST", "/sdk/v1/mobile-auth/enroll", USER, mapOf("profile_id" to profile, "jwk" to jwk))
            profiles.first { it.id == profile }.key = pair.private
            save()
            tell { handler.onSuccess() }
        }

    fun enrollForPush(token: String, handler: OneginiMobileAuthWithPushEnrollmentHandler) =
        work({ n, m -> handler.onError(of(n, m, ::OneginiMobileAuthWithPushEnrollmentError)) }) {
            val profile = session?.profile ?: throw Refused(9010)
            call("PUT", "/sdk/v1/mobile-auth/push", USER, mapOf("profile_id" to profile, "push_token" to token))
            profiles.first { it.id == profile }.hasPush = true
            save()
            tell { handler.onSuccess() }
        }

    fun refreshPushToken(token: String, handler: OneginiRefreshMobileAuthPushTokenHandler) =
        work({ n, m -> handler.onError(of(n, m, ::OneginiRefreshMobileAuthPushTokenError)) }) {
            val profile = session?.profile ?: throw Refused(9010, mapOf("error_description" to "the stub needs a user who is logged in"))
            call("PUT", "/sdk/v1/mobile-auth/push", USER, mapOf("profile_id" to profile, "push_token" to token))
            tell { handler.onSuccess() }
        }

    fun handleOtp(otp: String, handler: OneginiMobileAuthWithOtpHandler) {
        val fail = { n: Int, m: String? -> handler.onError(of(n, m, ::OneginiMobileAuthWithOtpError)) }
        work(fail) {
            if (!isCode(otp)) throw Refused(10018)
            val asks = app.otp ?: throw Refused(10001, mapOf("error_description" to "setMobileAuthWithOtpRequestHandler was not called"))
            val question = fetch("/sdk/v1/mobile-auth/otp/fetch", mapOf("otp" to otp))
            val callback = question.callback("otp", { n, m -> asks.finishAuthentication(); fail(n, m) }) { asks.finishAuthentication(); handler.onSuccess() }
            tell { asks.startAuthentication(question.request, callback) }
        }
    }

    fun pending(handler: OneginiPendingMobileAuthWithPushRequestsHandler) =
        work({ n, m -> handler.onError(of(n, m, ::OneginiPendingMobileAuthWithPushRequestError)) }) {
            val told = call("GET", "/sdk/v1/mobile-auth/pending", if (session == null) DEVICE else USER)
            val found = (told["pending"] as List<*>).map { it as Map<*, *> }.map {
                OneginiMobileAuthWithPushRequest(it["transaction_id"] as String, it["message"] as String, it["profile_id"] as String,
                    (it["date"] as Number).toLong(), ((it["time_to_live"] as Number).toLong() / 1000).toInt())
            }
            tell { handler.onSuccess(LinkedHashSet(found)) }
        }

    fun handlePush(request: OneginiMobileAuthWithPushRequest, handler: OneginiMobileAuthenticationHandler) {
        val fail = { n: Int, m: String? -> handler.onError(of(n, m, ::OneginiMobileAuthenticationError)) }
        work(fail) {
            val asks = app.push ?: throw Refused(10001, mapOf("error_description" to "setMobileAuthWithPushRequestHandler was not called"))
            val question = fetch("/sdk/v1/mobile-auth/push/${request.transactionId}/fetch", emptyMap())
            question.other?.let { throw Refused(10000, mapOf("error_description" to "not emulated: a push that asks for more than yes or no ($it)")) }
            val callback = question.callback("push", { n, m -> asks.finishAuthentication(); fail(n, m) }) { asks.finishAuthentication(); handler.onSuccess(null) }
            tell { asks.startAuthentication(question.request, callback) }
        }
    }

    fun denyPush(request: OneginiMobileAuthWithPushRequest, handler: OneginiDenyMobileAuthWithPushRequestHandler) =
        work({ n, m -> handler.onError(of(n, m, ::OneginiDenyMobileAuthWithPushRequestError)) }) {
            fetch("/sdk/v1/mobile-auth/push/${request.transactionId}/fetch", emptyMap()).answer("push", "deny")
            tell { handler.onSuccess() }
        }

    /** What the portal asks. Several may be open at a time; what came for the second time the server refuses as 9029. */
    private inner class Question(private val told: Map<*, *>, private val profile: String, private val key: PrivateKey) {
        private val id = told["transaction_id"] as String
        /** How it wants to be confirmed, where that is not by a mere yes: PUSH_WITH_PIN and the like. */
        val other = (told["method"] as? String)?.takeIf { it.startsWith("PUSH_WITH_") }
        val request = OneginiMobileAuthenticationRequest(UserProfile(profile), told["type"] as String, told["message"] as String, id, told["signing_data"] as? String)

        fun answer(way: String, result: String) {
            val message = signed(mapOf("v" to 1, "transaction_id" to id, "challenge" to told["challenge"], "result" to result), key)
            call("POST", "/sdk/v1/mobile-auth/$way/$id/answer", USER, mapOf("message" to message))
        }

        fun callback(way: String, fail: (Int, String?) -> Unit, done: () -> Unit) = object : OneginiAcceptDenyCallback {
            override fun acceptAuthenticationRequest() = work(fail) {
                answer(way, "confirm")
                tell(done)
            }
            override fun denyAuthenticationRequest() = work(fail) {
                answer(way, "deny")
                throw Refused(9006)
            }
        }
    }

    private fun fetch(path: String, order: Map<String, String>): Question {
        val profile = session?.profile ?: throw Refused(9010)
        val key = profiles.first { it.id == profile }.key ?: throw Refused(9021)
        val fetched = call("POST", path, USER, order + ("profile_id" to profile))
        return Question(Json.parse(String(unb64(fetched["message"] as String))) as Map<*, *>, profile, key)
    }

    private fun isCode(otp: String): Boolean = try {
        (Json.parse(String(unb64(otp))) as? Map<*, *>)?.keys?.containsAll(listOf("transaction_id", "otp")) == true
    } catch (_: IllegalArgumentException) { false } catch (_: NoJson) { false }

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

    private fun askPin(user: UserProfile, fail: (Int, String?) -> Unit, done: (Tokens) -> Unit) {
        val handler = app.pinAuthentication
        val callback = object : OneginiPinCallback {
            override fun denyAuthenticationRequest() = tell { end(9006, null) }
            fun end(number: Int, message: String?) { handler.finishAuthentication(); fail(number, message) }
            override fun acceptAuthenticationRequest(pin: CharArray) = work(::end) {
                val mine = profiles.find { it.id == user.profileId } ?: throw Refused(9003)
                try {
                    val token = mask(mine.masked, pin, mine.id).joinToString("") { "%02X".format(it) }
                    val tokens = tokens(post("/v1/token", "grant_type" to "refresh_token", "refresh_token" to token, "profile_id" to mine.id), mine.id)
                    mine.wrongPins = 0
                    keep(tokens, pin)
                    tell { handler.finishAuthentication() }
                    done(tokens)
                } catch (refusal: Refused) {
                    if (refusal.number == 9003) forget(mine.id)
                    if (refusal.number != 9009) throw refusal
                    mine.wrongPins = (refusal.told["used_attempts"] as? Number)?.toInt() ?: (mine.wrongPins + 1)
                    save()
                    val counter = AuthenticationAttemptCounter(mine.wrongPins, (refusal.told["remaining_attempts"] as? Number)?.toInt() ?: 0)
                    tell { handler.onNextAuthenticationAttempt(counter) }
                } finally {
                    pin.fill('\u0000')
                }
            }
        }
        work(fail) {
            val wrong = profiles.find { it.id == user.profileId }?.wrongPins ?: 0
            tell { handler.startAuthentication(user, callback, AuthenticationAttemptCounter(wrong, maxOf(0, maxPins - wrong))) }
        }
    }

    private fun createPin(tokens: Tokens, fail: (Int, String?) -> Unit, done: () -> Unit) {
        val policy = call("GET", "/sdk/v1/pin-policy", DEVICE)
        val handler = app.createPin
        val callback = object : OneginiPinCallback {
            fun end(number: Int, message: String?) { handler.finishPinCreation(); fail(number, message) }
            override fun denyAuthenticationRequest() = tell { end(9006, null) }
            override fun acceptAuthenticationRequest(pin: CharArray) = work(::end) {
                val fault = fault(pin, policy)
                if (fault != null) tell { handler.onNextPinCreationAttempt(of(fault, null, ::OneginiPinValidationError)) } else {
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
        (told["refresh_token"] as String).chunked(2) { "$it".toInt(16).toByte() }.toByteArray(), told["id_token"] as? String)

    private fun keep(tokens: Tokens, pin: CharArray) {
        val masked = mask(tokens.refresh, pin, tokens.profile)
        session = Session(tokens.profile, tokens.access, tokens.idToken ?: session?.takeIf { it.profile == tokens.profile }?.idToken)
        profiles.find { it.id == tokens.profile }?.let { it.masked = masked } ?: run { profiles = profiles + Profile(tokens.profile, masked, null, false, 0) }
        save()
    }

    /** Hides a refresh token, or shows it: PBKDF2 with HMAC-SHA-256, 10,000 rounds, one block. Source: RFC 8018 §5.2. */
    private fun mask(token: ByteArray, pin: CharArray, profile: String): ByteArray {
        if (pin.isEmpty()) throw Refused(9014)
        val text = Charsets.UTF_8.encode(CharBuffer.wrap(pin)).let { bytes -> ByteArray(bytes.remaining()).also(bytes::get) }
        val mac = Mac.getInstance("HmacSHA256").apply { init(SecretKeySpec(text, "HmacSHA256")) }
        var round = mac.doFinal(sha256("$clientId:$profile".toByteArray()) + byteArrayOf(0, 0, 0, 1))
        val sum = round.copyOf()
        repeat(9_999) {
            round = mac.doFinal(round)
            for (index in sum.indices) sum[index] = (sum[index].toInt() xor round[index].toInt()).toByte()
        }
        return ByteArray(token.size) { (token[it].toInt() xor sum[it].toInt()).toByte() }
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
        configure(made["config"])
    }

    private fun configure(told: Any?) {
        val config = told as? Map<*, *> ?: emptyMap<String, Any>()
        maxPins = (config["max_pin_attempts"] as? Number)?.toInt() ?: 0
        providers = (config["identity_providers"] as? List<*>).orEmpty().map { it as Map<*, *> }.map { KnownIdentityProvider("${it["id"]}", "${it["name"]}") }
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
        if (session?.profile == profile) session = null
        save()
    }

    private fun save() {
        val file = app.storage ?: return
        val all = mapOf("client_id" to clientId, "client_secret" to clientSecret, "redirect_uri" to redirectUri, "max_pins" to maxPins,
            "providers" to providers.map { mapOf("id" to it.id, "name" to it.name) },
            "profiles" to profiles.map { one ->
                mapOf("id" to one.id, "masked" to b64url(one.masked), "key" to one.key?.let { b64url(it.encoded) }, "push" to one.hasPush, "wrong" to one.wrongPins)
            })
        val fresh = File(file.path + ".new")
        fresh.writeText(Json.text(all))
        if (!fresh.renameTo(file)) throw IOException("$fresh cannot take the place of $file")
    }

    private fun load() {
        val file = app.storage?.takeIf { it.exists() } ?: return
        try {
            restore(Json.parse(file.readText()) as Map<*, *>)
        } catch (failure: Exception) {
            throw IllegalArgumentException("$file holds no installation of this stub; delete it to begin anew", failure)
        }
    }

    private fun restore(all: Map<*, *>) {
        clientId = all["client_id"] as String
        clientSecret = all["client_secret"] as String
        redirectUri = all["redirect_uri"] as String
        maxPins = (all["max_pins"] as Number).toInt()
        providers = (all["providers"] as List<*>).map { it as Map<*, *> }.map { KnownIdentityProvider(it["id"] as String, it["name"] as String) }
        profiles = (all["profiles"] as List<*>).map { it as Map<*, *> }.map { one ->
            val key = (one["key"] as? String)?.let { KeyFactory.getInstance("EC").generatePrivate(PKCS8EncodedKeySpec(unb64(it))) }
            Profile(one["id"] as String, unb64(one["masked"] as String), key, one["push"] == true, (one["wrong"] as Number).toInt())
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
            } catch (failure: Throwable) {
                // A connection that breaks counts as the device's network, one that never comes about as the server.
                val isServers = failure is ConnectException || failure is SocketTimeoutException
                val number = if (failure !is IOException) 10000 else if (isServers) 9001 else 9000
                tell { fail(number, "${app.base}: is it Understudy? $failure") }
            }
        }
    }

    /** What is over at the server is over on the device. */
    private fun obey(number: Int) {
        when (number) {
            9002 -> { clientId = ""; profiles = emptyList(); session = null; save() }
            9003 -> session?.let { forget(it.profile) }
            9020 -> { profiles.find { it.id == session?.profile }?.key = null; save() }
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
        connection.connectTimeout = app.connectTimeout
        connection.readTimeout = app.readTimeout
        if (caller == DEVICE) connection.setRequestProperty("Authorization", "Basic " + b64("$clientId:$clientSecret".toByteArray()))
        if (caller == USER) connection.setRequestProperty("Authorization", "Bearer ${session?.access}")
        if (body != null) {
            connection.setRequestProperty("Content-Type", type)
            connection.doOutput = true
            connection.outputStream.use { it.write(body.toByteArray()) }
        }
        val status = connection.responseCode
        val text = (if (status < 400) connection.inputStream else connection.errorStream)?.use { String(it.readBytes()) } ?: ""
        if (status < 400) return if (text.isEmpty()) emptyMap<String, Any>() else Json.parse(text) as? Map<*, *> ?: throw IOException("no JSON object: ${text.take(80)}")
        val told = try { Json.parse(text) as? Map<*, *> } catch (_: IOException) { null } ?: emptyMap<String, Any>()
        // The endpoints of OAuth know no numbers: there credentials that are unknown say it.
        // What did not arrive whole (408) counts as the device's network.
        val other = if (status >= 500) 9001 else if (status == 408) 9000 else if (told["error"] == "invalid_client") 9002 else 10000
        throw Refused((told["sdk_code"] as? Number)?.toInt() ?: other, told)
    }
}

/** Who calls: nobody, the installation by its credentials, the user by the access token. */
private const val NOBODY = 0
private const val DEVICE = 1
private const val USER = 2

private fun sha256(bytes: ByteArray): ByteArray = MessageDigest.getInstance("SHA-256").digest(bytes)
private fun random(count: Int): String = b64url(ByteArray(count).also { SecureRandom().nextBytes(it) })

/** Android's main thread; where there is none, or only one that does nothing as in tests on the JVM, a thread of our own. */
private fun callbackThread(): Executor {
    val own = Executors.newSingleThreadExecutor { Thread(it, "Onegini stub callbacks").apply { isDaemon = true } }
    return try {
        val looper = Class.forName("android.os.Looper").getMethod("getMainLooper").invoke(null) ?: return own
        val handlers = Class.forName("android.os.Handler")
        val handler = handlers.getConstructor(Class.forName("android.os.Looper")).newInstance(looper)
        val post = handlers.getMethod("post", Runnable::class.java)
        Executor { if (post.invoke(handler, it) != true) own.execute(it) }
    } catch (_: ReflectiveOperationException) {
        own
    }
}

/** Base64 by hand: java.util.Base64 is there from API 26 on. Source: RFC 4648 §4, §5. */
private const val ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

private fun b64(bytes: ByteArray): String {
    val text = StringBuilder()
    for (start in bytes.indices step 3) {
        val group = (0..2).fold(0) { sum, place -> (sum shl 8) or ((bytes.getOrNull(start + place)?.toInt() ?: 0) and 255) }
        for (place in 0..3) text.append(if (start + place > bytes.size) '=' else ALPHABET[(group shr (18 - 6 * place)) and 63])
    }
    return text.toString()
}

private fun b64url(bytes: ByteArray): String = b64(bytes).replace('+', '-').replace('/', '_').trimEnd('=')

/** Either alphabet, padded or not; throws IllegalArgumentException. */
private fun unb64(text: String): ByteArray {
    val plain = text.replace('-', '+').replace('_', '/').trimEnd('=')
    val bytes = ByteArray(plain.length * 6 / 8)
    var (buffer, bits, count) = Triple(0, 0, 0)
    for (character in plain) {
        val value = ALPHABET.indexOf(character)
        require(value >= 0) { "“$character” does not belong into Base64" }
        buffer = (buffer shl 6) or value
        bits += 6
        if (bits < 8) continue
        bits -= 8
        bytes[count++] = (buffer shr bits).toByte()
        buffer = buffer and ((1 shl bits) - 1)
    }
    return bytes
}

/** What answers is somebody else: a portal, a proxy. */
private class NoJson(message: String) : IOException(message)

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

    private fun fail(): Nothing = throw NoJson("no JSON at character $at: ${text.take(80)}")
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
