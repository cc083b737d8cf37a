// The default theme, with the project's colours, the picture and the terminal of the home page.
import DefaultTheme from "vitepress/theme";
import { h } from "vue";
import picture from "../../../docs/images/core-points.svg";
import Terminal from "./Terminal.vue";
import "./style.css";

const alt = "Two spirals, the regions that a learner predicts, and the core points that it stores";

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "home-hero-image": () => h("img", { class: "image-src", src: picture, alt }) }),
  enhanceApp({ app }) {
    app.component("Terminal", Terminal);
  },
};
