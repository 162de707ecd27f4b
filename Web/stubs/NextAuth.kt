/*
 * A stand-in for nextAuth's Mobile SDK for Android, for tests against Understudy. Not the vendor's code: it has the names of the vendor's
 * public documentation (version 2 of the SDK) and speaks Understudy's open device protocol. understudy stub NextAuth.kt > NextAuth.kt
 *
 * It fits Understudy @VERSION@; after an update of the program take it anew. Needs a JVM 11 or Android API 26, and nothing else.
 * The only call that the vendor's SDK does not have is the first:
 *
 *     NextAuth.connect("http://10.0.2.2:8420/nextauth", """{"appLoginInactivityTimeout": "5m", "singleAccount": true}""", file)
 *
 * Names that public pages spell: NextAuth.getNextAuth, addObserver, removeObserver, NextAuthObserver.onCallback, AbstractCallbackHandler
 * with onSecondFactor and onSessionStop, Callback.trigger, ConfirmEnrol, ConfirmLogin, SecondFactor, SessionLogin, SessionStop,
 * AccountDeleted, UserErrorMessage, getSessionManager().setAccount, getSecondFactorManager().sfInput, PinContainer, getAppLogin, getWebNonce,
 * getUserName, getAnnounceInfo().getInfo. The vendor's reference is not public: package, getters and the other names are formed after these.
 *
 * Lacks: version 3 (FlowManager, FlowUpdate), changes of the PIN, logos, getToken, the history, the QR code reader, pushes by FCM (they are
 * pulled), manuallyStartUserInteraction. Keys are software keys in a file that nothing protects.
 */
package com.nextauth.android

import java.io.File
import java.io.IOException
import java.math.BigDecimal
import java.net.HttpURLConnection
import java.net.URL
import java.security.KeyFactory
import java.security.KeyPair
import java.security.KeyPairGenerator
import java.security.PrivateKey
import java.security.Signature
import java.security.spec.ECGenParameterSpec
import java.security.spec.PKCS8EncodedKeySpec
import java.util.Base64
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.Executor
import java.util.concurrent.Executors
import java.util.concurrent.ScheduledFuture
import java.util.concurrent.TimeUnit
import javax.crypto.Mac
import javax.crypto.SecretKeyFactory
import javax.crypto.spec.PBEKeySpec
import javax.crypto.spec.SecretKeySpec

// What an app hears

/** Hears of everything. Callbacks come one after the other, on Android on the main thread. */
interface NextAuthObserver {
    fun onCallback(callback: Callback)
}

/** Something that the app shall show or ask; [trigger] calls the method that is named after it. */
sealed class Callback {
    abstract fun trigger(handler: AbstractCallbackHandler)
}

/** For observers that want a method for each kind of callback. */
abstract class AbstractCallbackHandler {
    open fun onConfirmEnrol(callback: ConfirmEnrol) {}
    open fun onConfirmLogin(callback: ConfirmLogin) {}
    open fun onConfirmTransaction(callback: ConfirmTransaction) {}
    open fun onSecondFactor(callback: SecondFactor) {}
    open fun onSessionLogin(callback: SessionLogin) {}
    open fun onSessionStop(callback: SessionStop) {}
    open fun onAccountUpdate(callback: AccountUpdate) {}
    open fun onAccountDeleted(callback: AccountDeleted) {}
    open fun onUserErrorMessage(callback: UserErrorMessage) {}
}

/** A new account is wanted: answer with `setAccount(session)` or `stopSession`. [vash]: a PNG, the visual hash of the server's key. */
class ConfirmEnrol(val session: Session, val vash: ByteArray?) : Callback() {
    override fun trigger(handler: AbstractCallbackHandler) = handler.onConfirmEnrol(this)
}

/** A login is wanted: answer with `setAccount` and one of [accounts], or `stopSession`. */
class ConfirmLogin(val session: Session, val accounts: List<Account>) : Callback() {
    override fun trigger(handler: AbstractCallbackHandler) = handler.onConfirmLogin(this)
}

/** A transaction is to be signed: answer with `confirmTransaction`. The field benificiary is spelled as the server's API spells it. */
class ConfirmTransaction(val session: Session, val amount: String?, val benificiary: String?, val description: String?) : Callback() {
    override fun trigger(handler: AbstractCallbackHandler) = handler.onConfirmTransaction(this)
}

/** The second factor is wanted ([context]; answer with `sfInput`), or what came of it ([result]); the other one is null. */
class SecondFactor(val session: Session, val context: Context?, val result: Result?, val triesLeft: Int?) : Callback() {
    enum class Context { FIRST_SET, VERIFY }
    enum class Result { SUCCESS, WRONG, BLOCKED, CANCELLED }

    override fun trigger(handler: AbstractCallbackHandler) = handler.onSecondFactor(this)
}

class SessionLogin(val session: Session) : Callback() {
    override fun trigger(handler: AbstractCallbackHandler) = handler.onSessionLogin(this)
}

/** [reason]: USER, INACTIVITY, APPLOGIN_TIMEOUT, PING_TIMEOUT, SERVER_LOGOUT, ACCOUNT_BLOCKED, ACCOUNT_DELETED, REPLACED or UNKNOWN. */
class SessionStop(val session: Session, val reason: String) : Callback() {
    override fun trigger(handler: AbstractCallbackHandler) = handler.onSessionStop(this)
}

class AccountUpdate(val account: Account) : Callback() {
    override fun trigger(handler: AbstractCallbackHandler) = handler.onAccountUpdate(this)
}

class AccountDeleted(val account: Account) : Callback() {
    override fun trigger(handler: AbstractCallbackHandler) = handler.onAccountDeleted(this)
}

/** [code]: a number of the device protocol, such as 34, no accounts for this server; 0 where the server could not be reached. */
class UserErrorMessage(val code: Int, val message: String) : Callback() {
    override fun trigger(handler: AbstractCallbackHandler) = handler.onUserErrorMessage(this)
}

// What an app handles

class Account internal constructor(val id: Long, val serverId: String, internal val key: PrivateKey, internal val publicKey: String) {
    /** The name that the enrolment gave it. */
    @Volatile var userName: String = ""; internal set
    /** Null as long as no back end has named the user. */
    @Volatile var userId: String? = null; internal set
    @Volatile var isBlocked: Boolean = false; internal set
}

/** What a back end says of itself to the user: texts by their keys. */
class AnnounceInfo internal constructor(private val texts: Map<String, String>) {
    fun getInfo(key: String): String? = texts[key]
}

class Session internal constructor(val isAppLogin: Boolean) {
    enum class State { STARTING, WAITING_FOR_USER_INPUT, ACTIVE, DONE, ERROR }

    /** Null before the login. */
    @Volatile var id: String? = null; internal set
    @Volatile var state = State.STARTING; internal set
    @Volatile var account: Account? = null; internal set
    internal var texts: Map<String, String> = emptyMap()
    internal var pingTime = 0L
    internal @Volatile var webNonce: String? = null

    val isLoggedIn: Boolean get() = state == State.ACTIVE
    val isLoggedOut: Boolean get() = state == State.DONE
    fun getAnnounceInfo() = AnnounceInfo(texts)
}

/** A PIN on its way; it is wiped once it was used. */
class PinContainer(pin: CharSequence) {
    internal val digits = CharArray(pin.length) { pin[it] }
    fun clear() = digits.fill('\u0000')
}

/** The login to the app itself. Two spellings each, for Java's and for Kotlin's use of the vendor's SDK. */
class AppLogin internal constructor(private val sdk: NextAuth) {
    private val session get() = sdk.appLoginSession

    /** Asks for the second factor where it is due, and for nothing else. */
    fun start() = sdk.start("APPLOGIN", emptyMap())
    fun stop() = sdk.later { sdk.appLoginSession?.let { sdk.stop(it, "USER") } }

    fun isLoggedIn(): Boolean = session != null
    val isLoggedIn: Boolean @JvmName("loggedIn") get() = session != null
    /** What the app hands its back end; null unless logged in. */
    fun getWebNonce(): String? = session?.webNonce
    val webNonce: String? @JvmName("webNonce") get() = session?.webNonce
    fun getUserName(): String? = session?.account?.userName
    val userName: String? @JvmName("userName") get() = session?.account?.userName
}

class SessionManager internal constructor(private val sdk: NextAuth) {
    /** Bytes of a QR code, enrolment or login. */
    fun startSession(data: ByteArray) = startSession(String(data, Charsets.US_ASCII))

    /** The text of a QR code, or a link that has its base64url behind the scheme. */
    fun startSession(data: String) {
        val code = if (data.startsWith("na1;")) data else try {
            String(unb64(data.substringAfter(':')), Charsets.US_ASCII)
        } catch (_: IllegalArgumentException) { data }
        val kinds = mapOf("E" to "ENROL", "L" to "LOGIN", "S" to "TRANSACTION")
        val kind = if (code.startsWith("na1;")) kinds[code.split(";")[1]] else null
        requireNotNull(kind) { "“${data.take(60)}” is not a code of Understudy's nextAuth" }
        sdk.start(kind, mapOf("data" to code))
    }

    /** Confirms an enrolment, or a login with one of the accounts of its callback. [userInput]: text for the back end. */
    @JvmOverloads fun setAccount(session: Session, account: Account? = null, userInput: String? = null) =
        sdk.confirm(session, account, userInput)

    fun confirmTransaction(session: Session, approve: Boolean) = sdk.decide(session, approve)

    /** Ends a session, or cancels what is being asked. */
    fun stopSession(session: Session) = sdk.later { sdk.stop(session, "USER") }

    /** Those that run. Counts as activity of the user. */
    fun getSessions(): List<Session> = sdk.active().let { sdk.sessions.toList() }
}

class SecondFactorManager internal constructor(private val sdk: NextAuth) {
    fun sfInput(pin: PinContainer) = sdk.factor(pin, false)
    /** Biometrics. The object is not looked at: what the user's finger has unlocked is the app's business. */
    fun sfInput(cryptoObject: Any) = sdk.factor(null, cryptoObject != Unit)
    /** Sets up both. */
    fun sfInput(pin: PinContainer, cryptoObject: Any) = sdk.factor(pin, cryptoObject != Unit)
}

class AccountManager internal constructor(private val sdk: NextAuth) {
    /** Counts as activity of the user. */
    fun getAccounts(): List<Account> = sdk.active().let { sdk.accounts.toList() }
    fun deleteAccount(account: Account) = sdk.delete(account)
}

class NextAuth private constructor(url: String, configuration: String, private val storage: File?) {
    companion object {
        @Volatile private var current: NextAuth? = null

        /**
         * Begins. Stands for the vendor's initialisation with a signed configuration.
         *
         * @param url of nextAuth in Understudy, such as `http://10.0.2.2:8420/nextauth`, in a world of its own `…/w/NAME/nextauth`.
         * @param configuration a JSON object with members of the vendor's configuration reference; those that only the vendor's SDK knows
         *   are taken and have no effect.
         * @param storage a file for accounts and keys; without it they are gone with the process.
         */
        @JvmStatic @JvmOverloads fun connect(url: String, configuration: String = "{}", storage: File? = null): NextAuth {
            val made = NextAuth(url, configuration, storage)
            current?.close()
            current = made
            made.begin()
            return made
        }

        @JvmStatic fun getNextAuth(): NextAuth = checkNotNull(current) { "call NextAuth.connect first" }
        @JvmStatic fun getSessionManager(): SessionManager = getNextAuth().sessionManager
    }

    private val base = url.trimEnd('/') + "/device/v1"
    private val config = Configuration(Json.parse(configuration) as? Map<*, *> ?: throw IllegalArgumentException("the configuration is no JSON object"))
    private val observers = CopyOnWriteArrayList<NextAuthObserver>()
    private val worker = Executors.newSingleThreadScheduledExecutor { Thread(it, "nextAuth stub").apply { isDaemon = true } }
    /** Where callbacks are called: the main thread of Android, or else the stub's own. */
    @Volatile var callbackExecutor: Executor = mainThread()
    private val sessionManager = SessionManager(this)
    private val secondFactorManager = SecondFactorManager(this)
    private val accountManager = AccountManager(this)
    private val appLogin = AppLogin(this)
    internal val accounts = CopyOnWriteArrayList<Account>()
    internal val sessions = CopyOnWriteArrayList<Session>()
    @Volatile internal var appLoginSession: Session? = null

    fun getAppLogin() = appLogin
    fun getSecondFactorManager() = secondFactorManager
    fun getAccountManager() = accountManager
    fun addObserver(observer: NextAuthObserver) { observers.addIfAbsent(observer) }
    fun removeObserver(observer: NextAuthObserver) { observers.remove(observer) }

    /** Registers for pushes; the stub pulls them, whatever the token is. */
    fun updatePushToken(token: String) = later { call("PUT", "/instance", mapOf("pushtoken" to token)) }

    // From here on all runs on the worker, except for what only asks.

    private class Refused(val number: Int, val status: Int, message: String) : Exception(message)

    private class Step(var flow: Map<*, *>, val session: Session) {
        var newKey: KeyPair? = null
        var isConfirmed = false
        var isAsked = false
        val id get() = flow["flowid"] as String
        val type get() = flow["type"] as String
        val challenge get() = flow["challenge"] as String
        val interaction get() = flow["interaction"] as? Map<*, *>
        val wish get() = interaction?.get("type") as? String
    }

    private var instance = ""
    @Volatile private var token: String? = null
    private var lastEvent = 0L
    private var biometrics: PrivateKey? = null
    private var step: Step? = null
    private val handled = HashSet<String>()
    private val waiting = ArrayDeque<() -> Unit>()
    /** Of the user's last deed, by the server's clock in seconds. */
    private var activity = 0L
    private var idle: ScheduledFuture<*>? = null
    private val pings = HashMap<String, ScheduledFuture<*>>()

    internal fun later(work: () -> Unit) {
        worker.execute { guarded(work) }
    }

    private fun guarded(work: () -> Unit) {
        try {
            work()
        } catch (refusal: Refused) {
            if (refusal.status == 401) forgetAll()
            abandon()
            call(UserErrorMessage(refusal.number, refusal.message ?: ""))
        } catch (error: IOException) {
            abandon()
            call(UserErrorMessage(0, "${base}: $error"))
        }
    }

    private fun call(callback: Callback) {
        callbackExecutor.execute { observers.forEach { it.onCallback(callback) } }
    }

    private fun close() {
        token = null
        worker.shutdownNow()
    }

    private fun begin() {
        load()
        if (token == null) return
        later {
            // What ran when the process ended is over: an AppLogin is tied to the app.
            val told = call("GET", "/instance") as Map<*, *>
            for (session in (told["sessions"] as List<*>).map { it as Map<*, *> }) {
                call("POST", "/sessions/${session["sessionid"]}/stop", mapOf("reason" to "USER"))
            }
            listen()
        }
    }

    private fun register() {
        if (token != null) return
        val made = call("POST", "/instances", mapOf("platform" to "android", "clientVersion" to "2.0-stub")) as Map<*, *>
        instance = made["instanceid"] as String
        token = made["token"] as String
        lastEvent = 0
        save()
        listen()
    }

    /** Says that the user did something, as the inactivity timeout wants to know. */
    internal fun active() = later { if (token != null) noteActivity() }

    private fun noteActivity() {
        activity = ((call("GET", "/sessions") as Map<*, *>)["time"] as Number).toLong()
        idle?.cancel(false)
        val seconds = config.inactivityTimeout ?: return
        idle = schedule(seconds * 1000) { appLoginSession?.let { stop(it, "INACTIVITY") } }
    }

    private fun schedule(milliseconds: Long, work: () -> Unit): ScheduledFuture<*> =
        worker.schedule({ guarded(work) }, milliseconds, TimeUnit.MILLISECONDS)

    // Flows

    internal fun start(kind: String, wish: Map<String, Any?>) = later {
        register()
        noteActivity()
        begin(kind, wish)
    }

    private fun begin(kind: String, wish: Map<String, Any?>) {
        if (step != null) throw Refused(37, 409, "Another session waits for the user; stop it first.")
        val flow = call("POST", "/flows", mapOf("type" to kind, "config" to config.wire) + wish) as Map<*, *>
        step = Step(flow, Session(kind == "APPLOGIN"))
        proceed()
    }

    private fun proceed() {
        val step = step ?: return
        val session = step.session
        val announced = (step.interaction?.get("announceinfo") as? Map<*, *>)?.get("info") as? Map<*, *>
        if (announced != null) session.texts = announced.entries.associate { "${it.key}" to "${it.value}" }
        when (step.flow["state"]) {
            "DONE" -> finish(step)
            "ERROR" -> fail(step)
            else -> {
                session.state = Session.State.WAITING_FOR_USER_INPUT
                when (step.wish) {
                    "CONFIRM" -> call(if (step.type == "ENROL") ConfirmEnrol(session, vash(step)) else ConfirmLogin(session, candidates(step)))
                    "CONFIRM_TRANSACTION" -> ask(step)
                    null -> take(step, "complete", mapOf("signature" to sign(step, owner(step))))
                    else -> if (!step.isAsked) {
                        step.isAsked = true
                        val context = SecondFactor.Context.valueOf(step.interaction!!["context"] as String)
                        call(SecondFactor(session, context, null, (step.interaction!!["triesleft"] as? Number)?.toInt()))
                    }
                }
            }
        }
    }

    private fun ask(step: Step) {
        val asked = step.interaction!!["transaction"] as Map<*, *>
        call(ConfirmTransaction(step.session, asked["amount"] as? String, asked["benificiary"] as? String, asked["description"] as? String))
    }

    private fun vash(step: Step): ByteArray? =
        if (config.hideVash) null else ((step.flow["server"] as? Map<*, *>)?.get("vash") as? String)?.let(::unb64)

    private fun candidates(step: Step): List<Account> =
        (step.interaction!!["accounts"] as List<*>).mapNotNull { one -> accounts.find { it.id == ((one as Map<*, *>)["accountid"] as Number).toLong() } }

    private fun owner(step: Step): Account {
        val server = (step.flow["server"] as Map<*, *>)["serverid"] as String
        return (if (step.wish == null) null else candidates(step).firstOrNull())
            ?: accounts.find { it.serverId.trimEnd('=') == server.trimEnd('=') } ?: throw Refused(31, 404, "The account is not on this device.")
    }

    private fun sign(step: Step, account: Account, approve: String = "") =
        sign(account.key, step.id, step.type, step.challenge, "${account.id}", approve)

    internal fun confirm(session: Session, account: Account?, userInput: String?) = answer(session) { step ->
        val more = if (userInput == null) emptyMap() else mapOf("userinput" to userInput)
        step.isConfirmed = true
        if (step.type == "ENROL") {
            val pair = newKey().also { step.newKey = it }
            val public = b64(pair.public.encoded)
            take(step, "confirm", mapOf("publickey" to public, "description" to "Understudy stub",
                "signature" to sign(pair.private, step.id, step.type, step.challenge, public, "")) + more)
        } else {
            val chosen = account ?: candidates(step).singleOrNull() ?: throw Refused(37, 409, "Give one of the accounts of ConfirmLogin.")
            take(step, "confirm", mapOf("accountid" to chosen.id, "signature" to sign(step, chosen)) + more)
        }
    }

    internal fun decide(session: Session, approve: Boolean) = answer(session) { step ->
        take(step, "confirm", mapOf("approve" to approve, "signature" to sign(step, owner(step), if (approve) "1" else "0")))
    }

    private fun answer(session: Session, work: (Step) -> Unit) = later {
        noteActivity()
        work(step?.takeIf { it.session === session } ?: throw Refused(37, 409, "This session waits for nothing."))
    }

    internal fun factor(pin: PinContainer?, biometric: Boolean) = later {
        val step = step?.takeIf { it.isAsked } ?: throw Refused(37, 409, "No second factor is asked for.")
        noteActivity()
        val body = HashMap<String, Any?>()
        if (step.wish == "SET_SECOND_FACTOR") {
            pin ?: throw Refused(37, 409, "The first time needs a PIN.")
            body["pinkey"] = b64(pinKey(pin))
            if (biometric && !config.biometricsDisabled) body["biometrickey"] = b64(newKey().also { biometrics = it.private }.public.encoded)
        } else {
            // An enrolment or a confirmed step was signed before.
            if (!step.isConfirmed && step.type != "TRANSACTION") body["signature"] = sign(step, owner(step))
            if (pin != null) body["pinproof"] = b64(hmac(pinKey(pin), unb64(step.challenge))) else body["biometricsignature"] = proof(step)
        }
        pin?.clear()
        take(step, "secondfactor", body)
    }

    private fun proof(step: Step): String {
        val key = biometrics ?: throw Refused(37, 409, "No biometrics are set up.")
        val subject = step.newKey?.let { b64(it.public.encoded) } ?: "${owner(step).id}"
        return sign(key, step.id, step.type, step.challenge, subject, if (step.type == "TRANSACTION") "1" else "")
    }

    /** Takes a step and says what came of the second factor. */
    private fun take(step: Step, name: String, body: Map<String, Any?>) {
        step.flow = call("POST", "/flows/${step.id}/$name", body) as Map<*, *>
        if (name == "secondfactor") {
            val result = SecondFactor.Result.valueOf(step.interaction!!["result"] as String)
            call(SecondFactor(step.session, null, result, (step.interaction!!["triesleft"] as? Number)?.toInt()))
        }
        proceed()
    }

    private fun finish(step: Step) {
        this.step = null
        val told = step.flow["session"] as? Map<*, *>
        if (told == null) step.session.state = Session.State.DONE else begin(step, told, step.flow["account"] as Map<*, *>)
        waiting.removeFirstOrNull()?.let(::later)
    }

    private fun begin(step: Step, told: Map<*, *>, owner: Map<*, *>) {
        val number = (owner["accountid"] as Number).toLong()
        step.newKey?.let { accounts += Account(number, owner["serverid"] as String, it.private, b64(it.public.encoded)) }
        val account = accounts.first { it.id == number }
        account.userName = owner["username"] as String
        account.userId = owner["userid"] as? String
        save()
        val session = step.session
        session.id = told["sessionid"] as String
        session.account = account
        session.webNonce = told["webnonce"] as? String
        session.pingTime = (told["pingTime"] as Number).toLong()
        session.state = Session.State.ACTIVE
        sessions += session
        if (session.isAppLogin) appLoginSession = session
        if (session.pingTime > 0) ping(session, session.pingTime * 500) else sessions -= session
        call(SessionLogin(session))
    }

    private fun fail(step: Step) {
        val error = step.flow["error"] as? Map<*, *>
        abandon()
        call(UserErrorMessage((error?.get("number") as? Number)?.toInt() ?: 0, "${error?.get("message") ?: "the session has failed"}"))
    }

    private fun abandon() {
        step?.session?.state = Session.State.ERROR
        step = null
        waiting.removeFirstOrNull()?.let(::later)
    }

    // Sessions that run

    private fun ping(session: Session, milliseconds: Long) {
        pings.remove(session.id)?.cancel(false)
        pings[session.id ?: return] = schedule(milliseconds) { pingNow(session) }
    }

    private fun pingNow(session: Session) {
        try {
            val told = call("POST", "/sessions/${session.id}/ping", if (session.isAppLogin) mapOf("activity" to activity) else emptyMap()) as Map<*, *>
            ping(session, (told["next"] as Number).toLong() * 1000)
        } catch (refusal: Refused) {
            // The reason comes as an event; whoever is first tells the app.
            if (refusal.status != 404) throw refusal
        }
    }

    internal fun stop(session: Session, reason: String) {
        val asked = step
        if (asked?.session === session) {
            call("POST", "/flows/${asked.id}/cancel", emptyMap<String, Any>())
            session.state = Session.State.ERROR
            step = null
            if (asked.isAsked) call(SecondFactor(session, null, SecondFactor.Result.CANCELLED, null))
            call(SessionStop(session, reason))
            waiting.removeFirstOrNull()?.let(::later)
            return
        }
        try {
            call("POST", "/sessions/${session.id ?: return}/stop", mapOf("reason" to reason))
        } catch (refusal: Refused) {
            if (refusal.status != 404) throw refusal
        }
        end(session, reason)
    }

    private fun end(session: Session, reason: String) {
        if (!sessions.remove(session)) return
        pings.remove(session.id)?.cancel(false)
        session.state = Session.State.DONE
        if (appLoginSession === session) appLoginSession = null
        call(SessionStop(session, reason))
    }

    internal fun delete(account: Account) = later {
        noteActivity()
        val challenge = (call("POST", "/instance/challenge") as Map<*, *>)["challenge"] as String
        call("DELETE", "/accounts/${account.id}", mapOf("signature" to sign(account.key, instance, "DELETE_ACCOUNT", challenge, "${account.id}", "")))
        forget(account)
    }

    private fun forget(account: Account) {
        if (!accounts.remove(account)) return
        sessions.filter { it.account === account }.forEach { end(it, "ACCOUNT_DELETED") }
        if (accounts.isEmpty()) biometrics = null
        save()
        call(AccountDeleted(account))
    }

    /** The server does not know this installation any more: its world was made anew. */
    private fun forgetAll() {
        token = null
        accounts.toList().forEach(::forget)
        save()
    }

    // Events

    private fun listen() {
        val mine = token
        Thread({
            while (mine != null && token == mine) {
                try {
                    val told = call("GET", "/events?since=$lastEvent&wait=25") as Map<*, *>
                    val done = worker.submit { if (token == mine) guarded { heed(told) } }
                    done.get()
                } catch (refusal: Refused) {
                    if (refusal.status == 401 && token == mine) later { if (token == mine) forgetAll() }
                    return@Thread
                } catch (_: IOException) {
                    Thread.sleep(1000)
                } catch (_: java.util.concurrent.RejectedExecutionException) {
                    return@Thread
                } catch (_: java.util.concurrent.ExecutionException) {
                    return@Thread
                } catch (_: InterruptedException) {
                    return@Thread
                }
            }
        }, "nextAuth stub events").apply { isDaemon = true }.start()
    }

    private fun heed(told: Map<*, *>) {
        lastEvent = (told["last"] as Number).toLong()
        for (event in (told["events"] as List<*>).map { it as Map<*, *> }) {
            val session = sessions.find { it.id == event["sessionid"] }
            val account = accounts.find { it.id == (event["accountid"] as? Number)?.toLong() }
            when (event["type"]) {
                "PING" -> session?.let(::pingNow)
                "SESSION_STOP" -> session?.let { end(it, event["reason"] as String) }
                "ACCOUNT_DELETED" -> account?.let(::forget)
                "ACCOUNT_UPDATED" -> account?.let {
                    it.userName = event["username"] as? String ?: it.userName
                    it.userId = event["userid"] as? String
                    it.isBlocked = event["blocked"] == true
                    call(AccountUpdate(it))
                }
                "MESSAGE" -> pull()
            }
        }
        save()
    }

    /** Pushes that wait. No activity of the user. */
    private fun pull() {
        for (message in (call("GET", "/messages") as List<*>).map { it as Map<*, *> }) {
            val id = message["messageid"] as String
            if (!handled.add(id)) continue
            val kind = message["type"] as String
            if (kind == "LOGIN" || kind == "TRANSACTION") {
                val work = { begin(kind, mapOf("messageid" to id)) }
                if (step == null) work() else waiting.addLast(work)
            } else {
                call("POST", "/messages/$id/read", emptyMap<String, Any>())
            }
        }
    }

    // Wire

    private fun call(method: String, path: String, body: Any? = null): Any? {
        val connection = URL(base + path).openConnection() as HttpURLConnection
        connection.requestMethod = method
        connection.connectTimeout = 10_000
        connection.readTimeout = 60_000
        token?.let { connection.setRequestProperty("Authorization", "Device $it") }
        if (body != null) {
            connection.setRequestProperty("Content-Type", "application/json")
            connection.doOutput = true
            connection.outputStream.use { it.write(Json.text(body).toByteArray()) }
        }
        val status = connection.responseCode
        val text = (if (status < 400) connection.inputStream else connection.errorStream)?.use { String(it.readBytes()) } ?: ""
        if (status < 400) return if (text.isEmpty()) null else Json.parse(text)
        val told = try { Json.parse(text) as? Map<*, *> } catch (_: IllegalArgumentException) { null }
        throw Refused((told?.get("number") as? Number)?.toInt() ?: 0, status, "${told?.get("message") ?: text}")
    }

    // Proofs

    private fun newKey(): KeyPair =
        KeyPairGenerator.getInstance("EC").apply { initialize(ECGenParameterSpec("secp256r1")) }.generateKeyPair()

    private fun sign(key: PrivateKey, vararg lines: String): String {
        val text = (listOf("understudy-nextauth-1") + lines).joinToString("") { it + "\n" }
        return b64(Signature.getInstance("SHA256withECDSA").apply { initSign(key); update(text.toByteArray()) }.sign())
    }

    private fun pinKey(pin: PinContainer): ByteArray = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
        .generateSecret(PBEKeySpec(pin.digits, unb64(instance), 10_000, 256)).encoded

    private fun privateKey(text: String): PrivateKey = KeyFactory.getInstance("EC").generatePrivate(PKCS8EncodedKeySpec(unb64(text)))

    private fun hmac(key: ByteArray, data: ByteArray): ByteArray =
        Mac.getInstance("HmacSHA256").apply { init(SecretKeySpec(key, "HmacSHA256")) }.doFinal(data)

    // What outlives the process

    private fun save() {
        val file = storage ?: return
        val kept = mapOf("instanceid" to instance, "token" to token, "last" to lastEvent, "biometrics" to biometrics?.let { b64(it.encoded) }, "accounts" to accounts.map {
            mapOf("accountid" to it.id, "serverid" to it.serverId, "username" to it.userName, "userid" to it.userId,
                "key" to b64(it.key.encoded), "publickey" to it.publicKey)
        })
        val fresh = File(file.path + ".new")
        fresh.writeText(Json.text(kept))
        if (!fresh.renameTo(file)) throw IOException("$fresh cannot take the place of $file")
    }

    private fun load() {
        val kept = storage?.takeIf { it.exists() }?.let { Json.parse(it.readText()) as Map<*, *> } ?: return
        instance = kept["instanceid"] as String
        token = kept["token"] as? String
        lastEvent = (kept["last"] as Number).toLong()
        biometrics = (kept["biometrics"] as? String)?.let(::privateKey)
        for (one in (kept["accounts"] as List<*>).map { it as Map<*, *> }) {
            val key = privateKey(one["key"] as String)
            val account = Account((one["accountid"] as Number).toLong(), one["serverid"] as String, key, one["publickey"] as String)
            account.userName = one["username"] as String
            account.userId = one["userid"] as? String
            accounts += account
        }
    }
}

/** The vendor's configuration as the device protocol knows it. Durations are texts such as 5m. */
private class Configuration(members: Map<*, *>) {
    val inactivityTimeout = seconds(members, "appLoginInactivityTimeout") ?: seconds(members, "timeoutInactivityAppLogin")
    val biometricsDisabled = members["biometricsDisabled"] == true
    val hideVash = members["hideVash"] == true
    val wire: Map<String, Any?> = mapOf(
        "inactivityTimeout" to inactivityTimeout, "appLoginTimeout" to seconds(members, "timeoutAppLogin"),
        "secondFactorUserInputTimeout" to seconds(members, "secondFactorUserInputTimeout"), "singleAccount" to members["singleAccount"],
        "autoSelectSingleAccount" to members["automaticallySelectSingleAccountWhenSecondFactorNeeded"],
        "alwaysRequireSecondFactorIfInactiveAppLogin" to members["alwaysRequireSecondFactorIfInactiveAppLogin"],
        "blockSecondFactorOnPINBlocked" to members["blockSecondFactorOnPINBlocked"]).filterValues { it != null }

    private fun seconds(members: Map<*, *>, name: String): Long? {
        val text = members[name] ?: return null
        val parts = Regex("(?:(\\d+)h)?(?:(\\d+)m)?(?:(\\d+)s)?").matchEntire("$text")?.groupValues?.drop(1)
        require(parts != null && parts.any { it.isNotEmpty() }) { "$name is “$text”, expected a duration such as 5m, 90s or 1h" }
        return parts.fold(0L) { sum, part -> sum * 60 + (part.toLongOrNull() ?: 0) }
    }
}

private fun mainThread(): Executor = try {
    val looper = Class.forName("android.os.Looper").getMethod("getMainLooper").invoke(null)
    val handlers = Class.forName("android.os.Handler")
    val handler = handlers.getConstructor(Class.forName("android.os.Looper")).newInstance(looper)
    val post = handlers.getMethod("post", Runnable::class.java)
    Executor { post.invoke(handler, it) }
} catch (_: ReflectiveOperationException) {
    Executor { it.run() }
}

private fun b64(bytes: ByteArray): String = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes)
private fun unb64(text: String): ByteArray = Base64.getUrlDecoder().decode(text.replace('+', '-').replace('/', '_').trimEnd('='))

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
