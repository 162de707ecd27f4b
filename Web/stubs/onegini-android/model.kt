package com.onegini.mobile.sdk.android.model

import android.net.Uri
import android.os.Parcel
import android.os.Parcelable
import com.onegini.mobile.sdk.android.handlers.action.*
import com.onegini.mobile.sdk.android.model.entity.UserProfile

/**
 * What the vendor's SDK Configurator writes as the class OneginiConfigModel. Of it the stub needs the first five; the token server is at
 * `/oauth` of the base URL, and there is no pinning.
 */
interface OneginiClientConfigModel {
    fun getAppIdentifier(): String
    fun getAppPlatform(): String
    fun getAppVersion(): String
    fun getBaseUrl(): String
    fun getRedirectUri(): String
    fun getResourceBaseUrl(): String
    fun getCertificatePinningKeyStore(): Int = 0
    fun getKeyStoreHash(): String? = null
    fun getDeviceName(): String? = null
    fun getServerPublicKey(): String? = null
    fun getServerType(): String? = null
    fun getServerVersion(): String? = null
}

/** A way to register, of the application's settings or of the app's own. */
interface OneginiIdentityProvider : Parcelable {
    val id: String
    val name: String
}

internal data class KnownIdentityProvider(override val id: String, override val name: String) : OneginiIdentityProvider {
    override fun describeContents(): Int = 0
    override fun writeToParcel(destination: Parcel, flags: Int) {
        destination.writeString(id)
        destination.writeString(name)
    }

    companion object {
        @JvmField val CREATOR: Parcelable.Creator<KnownIdentityProvider> = object : Parcelable.Creator<KnownIdentityProvider> {
            override fun createFromParcel(source: Parcel) = KnownIdentityProvider(source.readString() ?: "", source.readString() ?: "")
            override fun newArray(size: Int): Array<KnownIdentityProvider?> = arrayOfNulls(size)
        }
    }
}

interface OneginiCustomIdentityProvider {
    fun getId(): String
    fun getRegistrationAction(): OneginiCustomRegistrationAction
}

/** The stub has the PIN alone. */
interface OneginiAuthenticator {
    enum class Type { PIN, FINGERPRINT, BIOMETRIC, CUSTOM }

    val id: String
    val type: Type
    val name: String
    val isRegistered: Boolean
    val isPreferred: Boolean
    val userProfile: UserProfile
}

internal data class PinAuthenticator(override val userProfile: UserProfile) : OneginiAuthenticator {
    override val id get() = "PIN"
    override val type get() = OneginiAuthenticator.Type.PIN
    override val name get() = "PIN"
    override val isRegistered get() = true
    override val isPreferred get() = true
}

interface OneginiCustomAuthenticator {
    fun getId(): String
    fun getRegistrationAction(): OneginiCustomAuthRegistrationAction
    fun getDeregistrationAction(): OneginiCustomAuthDeregistrationAction
    fun getAuthenticationAction(): OneginiCustomAuthAuthenticationAction
}

/** [redirectUrl] opens the page in a browser with the user logged in, once and within a minute. */
class OneginiAppToWebSingleSignOn internal constructor(val token: String, val redirectUrl: Uri)
